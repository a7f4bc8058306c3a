#include "emit/lower/constant_table.h"

#include <algorithm>

#include "emit/cuda/own_numbers.h"
#include "emit/spelling/cuda_scalar.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

namespace {

struct FragmentAxis {
  llvm::StringRef name, note;
};

// The name of a register axis of an MMA accumulator: matrices of 16 rows and 8 columns, of which a
// thread holds two neighbours in each of two rows, 8 apart (lane / 4 * 8 ..., lane % 4 * 2 ...).
// Null in any other layout.
const FragmentAxis *fragmentAxis(const LayoutDim &dim, unsigned digit) {
  static constexpr FragmentAxis pair{own_number::kPair, "neighbouring columns of an MMA tile"},
      halves{own_number::kHalves, "rows of an MMA tile in a thread, 8 apart"},
      rows{own_number::kMmaRows, "MMA accumulators along the rows of a warp"},
      columns{own_number::kMmaColumns, "MMA accumulators along the columns of a warp"};
  const auto &digits = dim.digits;
  if (digits.size() < 2 || digits[digit].unit != Unit::Register) return nullptr;
  auto is = [&](unsigned i, Unit unit, int64_t stride, int64_t extent) {
    return digits[i].unit == unit && digits[i].stride == stride && digits[i].extent == extent;
  };
  if (is(0, Unit::Lane, 4, 8) && is(1, Unit::Register, digits[1].stride, 2))
    return digit == 1 ? &halves : &rows;
  if (is(0, Unit::Register, digits[0].stride, 2) && is(1, Unit::Lane, 1, 4))
    return digit == 0 ? &pair : &columns;
  return nullptr;
}

}  // namespace

ConstantTable::ConstantTable(const Kernel &kernel, std::vector<TemplateArgument> arguments,
                             const passes::UnitAxes &unitAxes, Names &names)
    : kernel_(kernel), unitAxes_(unitAxes), names_(names), arguments_(std::move(arguments)) {}

void ConstantTable::begin(std::vector<Constant> known) {
  all_ = std::move(known);
  for (const Constant &constant : all_)
    if (!constant.tiles.empty()) firstTile_ = std::max(firstTile_, *constant.tiles.rbegin() + 1);
}

// ---- numbers

std::string ConstantTable::nameOf(const std::string &name, int64_t value) {
  for (const Constant &constant : all_)
    if (constant.name == name) {
      T2C_ASSERT(constant.value == value);
      return name;
    }
  all_.push_back({name, value, {}, ""});
  return name;
}

Expr ConstantTable::number(const Dim &size, Scalar type) {
  const Formula *formula = size.formula();
  const Expr written = formula && llvm::isInt<32>(size) ? expression(*formula, size) : Expr{};
  return written ? written : literal(type, size);
}

const TemplateArgument *ConstantTable::find(const std::string &name) const {
  for (size_t i = 0; i < arguments_.size(); ++i)
    if (kernel_.templateArguments[i].name == name && arguments_[i].integer) return &arguments_[i];
  return nullptr;
}

// The formula in the names of the text, whose numbers are ints; none if it has another value.
Expr ConstantTable::expression(const Formula &formula, int64_t value) {
  Expr e;
  int64_t product = formula.times;
  if (product != 1 && product != -1) e = integer(product);
  for (const std::string &name : formula.names) {
    const TemplateArgument *argument = find(name);
    if (!argument || !llvm::isInt<32>(*argument->integer)) return {};
    product *= *argument->integer;
    if (!llvm::isInt<32>(product)) return {};
    const Expr factor = named(argument->name);
    e = e ? binary(Prec::Multiplicative, "*", e, factor) : factor;
  }
  if (product / formula.over + formula.plus != value) return {};
  for (const std::string &name : formula.names) nameOf(find(name)->name, *find(name)->integer);
  if (formula.over != 1) e = binary(Prec::Multiplicative, "/", e, integer(formula.over));
  if (formula.times == -1) e = unary("-", e);
  if (formula.plus == 0) return e;
  return binary(Prec::Additive, formula.plus < 0 ? "-" : "+", e, integer(std::abs(formula.plus)));
}

Expr ConstantTable::stages(int64_t stages) {
  if (stages == 1) return integer(1);
  for (const Constant &constant : all_)
    if (constant.value == stages && wantedName(constant.name) == own_number::kStages)
      return named(constant.name);
  std::string name = names_.symbol(own_number::kStages);
  all_.push_back({name, stages, {}, "pipeline stages in shared memory"});
  return named(name);
}

Expr ConstantTable::stagesLess2(int64_t value) const {
  Expr count = integer(value);
  for (const Constant &constant : all_)
    if (wantedName(constant.name) == own_number::kStages && constant.value == value + 2)
      count = binary(Prec::Additive, "-", named(constant.name), integer(2));
  return count;
}

// ---- extents

const std::string &ConstantTable::extentName(const Layout &layout, unsigned axis) {
  std::string &name = axisNames_[{&layout, axis}];
  if (!name.empty()) return name;
  name = newExtentName(layout, axis);
  const unsigned tile = tiles_.try_emplace(&layout, firstTile_ + tiles_.size()).first->second;
  for (Constant &constant : all_)
    if (constant.name == name) constant.tiles.insert(tile);
  return name;
}

bool ConstantTable::isDropped(const Layout &layout, unsigned axis) {
  // Dropped axes are named as well: the other axes then have the same names with and without them.
  extentName(layout, axis);
  const auto [entry, isNew] = droppedAxes_.try_emplace({&layout, axis}, false);
  if (isNew) entry->second = unitAxes_.contain(layout, axis);
  return entry->second;
}

std::optional<passes::VectorAxis> ConstantTable::vectorAxisOf(const Layout &layout) {
  auto vector = passes::vectorAxis(layout);
  return vector && !isDropped(layout, vector->axis) ? vector : std::nullopt;
}

std::optional<ConstantTable::Factor> ConstantTable::factorOf(const Layout &layout,
                                                             llvm::ArrayRef<Digit> digits,
                                                             unsigned k) {
  const Digit &digit = digits[k];
  if (digit.unit == Unit::Register) {
    if (isDropped(layout, digit.axis)) return std::nullopt;
    return Factor{extent(layout, digit.axis), digit.extent};
  }
  const int64_t warps = kernel_.options.numWarps;
  const Expr number = this->number(digit.extent);
  const bool isThread = digit.unit == Unit::Lane && digit.extent == 32 && digit.stride == 1 &&
                        k + 1 < digits.size() && digits[k + 1].unit == Unit::Warp &&
                        digits[k + 1].extent == warps;
  if (isThread) return Factor{named("NUM_THREADS"), digit.extent * warps, true};
  if (digit.unit == Unit::Warp && digit.extent == warps)
    return Factor{named("NUM_WARPS"), digit.extent};
  return Factor{number, digit.extent};
}

// The extent as BLOCK / (NUM_THREADS * VEC), if it follows from a template argument; else none. Of
// several register axes along one dimension only the one next to the vector is derived, the others
// are given as numbers.
Expr ConstantTable::derivationOf(const Layout &layout, unsigned axis) {
  const auto use = layout.axisUse(axis);
  const auto vector = passes::vectorAxis(layout);
  if (!use || (vector && vector->axis == axis)) return {};
  const llvm::ArrayRef<Digit> digits = layout.dim(use->dim).digits;
  const auto axesAlong = llvm::count_if(digits, [&](const Digit &digit) {
    return digit.unit == Unit::Register && !(vector && digit.axis == vector->axis);
  });
  if (axesAlong != 1) return {};
  const Dim padded = layout.dim(use->dim).padded();
  const Expr size = number(padded);
  Expr below = integer(1);
  int64_t product = layout.registerAxes()[axis];
  for (unsigned k = 0; k < digits.size(); ++k) {
    if (k == use->digit) continue;
    const auto factor = factorOf(layout, digits, k);
    product *= factor ? factor->value : digits[k].extent;
    if (!factor) continue;
    k += factor->isOfTwo;
    below = below.isLiteral("1") ? factor->expr
                                 : binary(Prec::Multiplicative, "*", factor->expr, below);
  }
  if (size.isLiteral() || product != padded) return {};
  return below.isLiteral("1") ? size : binary(Prec::Multiplicative, "/", size, below);
}

// One name for the same digit structure in every layout of the kernel: a slice of a tile uses the
// constants of the tile.
std::string ConstantTable::newExtentName(const Layout &layout, unsigned axis) {
  const std::string key = passes::axisKey(layout, axis);
  const auto use = layout.axisUse(axis);
  const Expr derivation = derivationOf(layout, axis);
  std::string &known = extentNames_[{key, derivation ? derivation.str() : ""}];
  if (!known.empty()) return known;
  const int64_t extent = layout.registerAxes()[axis];
  const auto vector = passes::vectorAxis(layout);
  const bool isVector = vector && vector->axis == axis;
  const bool besideVector = vector && use && use->dim == vector->dim;
  // The extent is a template argument, which has a name.
  if (derivation && derivation.isName()) return known = derivation.spelling();
  const FragmentAxis *fragment = use ? fragmentAxis(layout.dim(use->dim), use->digit) : nullptr;
  const llvm::StringRef base = fragment               ? fragment->name
                               : isVector             ? "VEC"
                               : besideVector         ? "VECS"
                               : layout.rank() == 1   ? own_number::kSteps
                               : use && use->dim == 0 ? own_number::kRowSteps
                                                      : own_number::kColumnSteps;
  // The first one is VEC itself: accesses and launch bounds use that name.
  const bool isFirst =
      llvm::none_of(all_, [&](const Constant &constant) { return constant.name == base; });
  // BLOCK_N_TILES, where N_TILES counts the tiles of another number: BLOCK_N / (4 * PAIR).
  const Expr size = derivation ? derivation.operand(0) : Expr{};
  const Hint hint{
      .second = size && size.isName() ? size.spelling() + "_" + base.rsplit('_').second.str() : ""};
  const std::string name = base == "VEC" && isFirst ? "VEC" : names_.symbol(base, hint);
  known = name;
  const std::string note = fragment        ? fragment->note.str()
                           : isVector      ? extent > 16 ? "neighbouring elements of a thread"
                                                         : "elements of one memory access"
                           : !besideVector ? ""
                           : vectorAxisOf(layout) ? "vectors per thread"
                                                  : "elements per thread";
  all_.push_back({name, extent, derivation, note, key});
  return name;
}

}  // namespace tile2cu::emit
