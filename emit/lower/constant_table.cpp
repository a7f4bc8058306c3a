#include "emit/lower/constant_table.h"

#include <algorithm>

#include "emit/cuda/own_numbers.h"
#include "emit/lower/mma_layout.h"
#include "emit/spelling/cuda_scalar.h"
#include "emit/spelling/size_expr.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/nest_steps.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"
#include "passes/target/memory_system.h"

namespace tile2cu::emit {
using namespace ir;

ConstantTable::ConstantTable(const Kernel &kernel, std::vector<TemplateArgument> arguments,
                             const passes::UnitAxes &unitAxes, Names &names)
    : kernel_(kernel), unitAxes_(unitAxes), names_(names), arguments_(std::move(arguments)) {}

void ConstantTable::begin(std::vector<Constant> known) {
  all_ = std::move(known);
  for (const Constant &constant : all_)
    if (!constant.tiles.empty()) firstTile_ = std::max(firstTile_, *constant.tiles.rbegin() + 1);
}

// ---- numbers

Symbol ConstantTable::nameOf(const Symbol &name, int64_t value) {
  for (const Constant &constant : all_)
    if (constant.name == name) {
      T2C_ASSERT(constant.value == value);
      return name;
    }
  all_.push_back({name, value, {}, ""});
  return name;
}

Expr ConstantTable::number(const Dim &size, Scalar type) {
  const Expr written = formula(size);
  if (!written) return literal(type, size);
  for (const TemplateArgument &argument : arguments_)
    if (const Symbol name(argument.name); name && mentions(written, name))
      nameOf(name, *argument.integer);
  return written;
}

Expr ConstantTable::formula(const Dim &size) const { return sizeExpr(size, kernel_, arguments_); }

void ConstantTable::require(const Expr &condition) {
  if (!llvm::is_contained(conditions_, condition)) conditions_.push_back(condition);
}

Expr ConstantTable::stages(int64_t stages) {
  if (stages == 1) return integer(1);
  for (const Constant &constant : all_)
    if (constant.value == stages && constant.name.wanted() == own_number::kStages)
      return named(constant.name);
  const Symbol name = names_.symbol(own_number::kStages);
  all_.push_back({name, stages, {}, "pipeline stages in shared memory"});
  return named(name);
}

Expr ConstantTable::stagesLess2(int64_t value) const {
  Expr count = integer(value);
  for (const Constant &constant : all_)
    if (constant.name.wanted() == own_number::kStages && constant.value == value + 2)
      count = binary(Prec::Additive, "-", named(constant.name), integer(2));
  return count;
}

// ---- extents

const Symbol &ConstantTable::extentName(const Layout &layout, unsigned axis) {
  Symbol &name = axisNames_[{&layout, axis}];
  if (name) return name;
  name = newExtentName(layout, axis);
  const unsigned tile = tiles_.try_emplace(&layout, firstTile_ + tiles_.size()).first->second;
  for (Constant &constant : all_)
    if (constant.name == name) constant.tiles.insert(tile);
  return name;
}

Expr ConstantTable::extent(const Layout &layout, unsigned axis) {
  if (isInFragment(mmaAxis(layout, axis))) return integer(layout.registerAxes()[axis]);
  return named(extentName(layout, axis));
}

bool ConstantTable::isDropped(const Layout &layout, unsigned axis) {
  if (isInFragment(mmaAxis(layout, axis))) return false;
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

// ---- derivations

// The extent as BLOCK / (NUM_THREADS * VEC), if it follows from a template argument; else none. Of
// several register axes along one dimension only the one next to the vector is derived, the others
// are given as numbers.
Expr ConstantTable::derivationOf(const Layout &layout, unsigned axis) {
  const auto use = layout.axisUse(axis);
  const auto vector = passes::vectorAxis(layout);
  if (!use || (vector && vector->axis == axis)) return {};
  const llvm::ArrayRef<Digit> digits = layout.dim(use->dim).digits;
  const auto axesAlong = llvm::count_if(digits, [&](const Digit &digit) {
    return digit.unit == Unit::Register && !(vector && digit.axis == vector->axis) &&
           !isInFragment(mmaAxis(layout, digit.axis));
  });
  if (axesAlong != 1) return {};
  const Dim padded = layout.dim(use->dim).padded();
  const Expr size = number(padded);
  Expr below = integer(1);
  int64_t product = layout.registerAxes()[axis];
  const auto multiply = [&](const Expr &factor) {
    below = below.isLiteral("1") ? factor : binary(Prec::Multiplicative, "*", factor, below);
  };
  if (const auto threads = threadsOfFullRows(layout, use->dim)) multiply(threads->extent);
  unsigned first = 0;
  if (areOfMma(layout.dim(use->dim))) {
    for (; first < 2; ++first) product *= digits[first].extent;
    multiply(integer(digits[0].extent * digits[1].extent));
  }
  for (unsigned k = first; k < digits.size(); ++k) {
    if (k == use->digit) continue;
    if (digits[k].unit != Unit::Register) {
      const Threads threads = threadsAt(layout, use->dim, k);
      product *= threads.value;
      multiply(threads.extent);
    } else {
      product *= digits[k].extent;
      if (!isDropped(layout, digits[k].axis)) multiply(extent(layout, digits[k].axis));
    }
  }
  const auto isWarp = [](const Digit &digit) { return digit.unit == Unit::Warp; };
  if (llvm::none_of(digits, isWarp))
    if (const auto warps = mmaWarps(layout, use->dim)) multiply(warps->extent);
  if (size.isLiteral() || product != padded) return {};
  return below.isLiteral("1") ? size : binary(Prec::Multiplicative, "/", size, below);
}

namespace {

// The wanted name of a register axis's extent, and the word for what it counts, which the second
// name has: N_TILES, and TILES for BLOCK_N_TILES.
struct ExtentName {
  llvm::StringRef wanted, counted;
};

}  // namespace

// The bytes of an element that this access reads or writes.
static int64_t bytesOfElement(const Op *access) {
  const bool isStore = access->kind == OpKind::Store;
  const Type &moved = access->numResults() > 0
                          ? access->result()->type
                          : access->operand(isStore ? +StoreOp::valueIndex : 0)->type;
  return byteWidth(moved.scalar());
}

// Whether memory is accessed in vectors of this extent along an axis of this digit structure. Wider
// vectors take several accesses.
static bool isAccessed(const Kernel &kernel, const std::string &key, int64_t extent) {
  bool isFound = false;
  walk(kernel.body, [&](const Op *nest) {
    if (isFound || nest->kind != OpKind::Nest) return;
    const auto vector = passes::vectorAxis(*nest->layout);
    if (!vector || passes::axisKey(*nest->layout, vector->axis) != key) return;
    const passes::NestSteps steps(kernel, nest, vector);
    isFound = llvm::any_of(steps.steps(), [&](const passes::NestStep &step) {
      return step.access && (step.access->is(ir::Reads) || step.access->is(ir::Writes)) &&
             extent * bytesOfElement(step.access) <= passes::kMostAccessBytes;
    });
  });
  return isFound;
}

// One name for the same digit structure in every layout of the kernel: a slice of a tile uses the
// constants of the tile.
Symbol ConstantTable::newExtentName(const Layout &layout, unsigned axis) {
  const std::string key = passes::axisKey(layout, axis);
  const auto use = layout.axisUse(axis);
  const Expr derivation = derivationOf(layout, axis);
  std::vector<Extent> &known = extents_[key];
  const auto same =
      llvm::find_if(known, [&](const Extent &each) { return each.derivation == derivation; });
  if (same != known.end()) return same->name;
  const int64_t extent = layout.registerAxes()[axis];
  const auto vector = passes::vectorAxis(layout);
  const bool isVector = vector && vector->axis == axis;
  const bool besideVector = vector && use && use->dim == vector->dim;
  // The extent is a template argument, which has a name.
  if (derivation && derivation.isName()) return derivation.symbol();
  const MmaAxis mma = mmaAxis(layout, axis);
  const ExtentName name = mma == MmaAxis::Rows      ? ExtentName{own_number::kMmaRows, "TILES"}
                          : mma == MmaAxis::Columns ? ExtentName{own_number::kMmaColumns, "TILES"}
                          : isVector                ? ExtentName{"VEC", "VEC"}
                          : besideVector            ? ExtentName{"VECS", "VECS"}
                          : layout.rank() == 1      ? ExtentName{own_number::kSteps, "STEPS"}
                          : use && use->dim == 0    ? ExtentName{own_number::kRowSteps, "STEPS"}
                                                    : ExtentName{own_number::kColumnSteps, "STEPS"};
  // The first one is VEC itself: accesses and launch bounds use that name.
  const bool isVec = name.wanted == "VEC" && llvm::none_of(all_, [](const Constant &constant) {
                       return constant.name == "VEC";
                     });
  // BLOCK_N_TILES, where N_TILES counts the tiles of another number: BLOCK_N / 8.
  const Expr size = derivation ? derivation.operand(0) : Expr{};
  const Hint hint{.second =
                      size && size.isName()
                          ? fmt::format("{}_{}", size.symbol().wanted().str(), name.counted.str())
                          : ""};
  const Symbol symbol = isVec ? Symbol("VEC") : names_.symbol(name.wanted, hint);
  known.push_back({derivation, symbol});
  const std::string note =
      mma == MmaAxis::Rows      ? "MMA accumulators along the rows of a warp"
      : mma == MmaAxis::Columns ? "MMA accumulators along the columns of a warp"
      : isVector                ? isAccessed(kernel_, key, extent) ? "elements of one memory access"
                                                                   : "neighbouring elements of a thread"
      : !besideVector           ? ""
      : vectorAxisOf(layout)    ? "vectors per thread"
                                : "elements per thread";
  all_.push_back({symbol, extent, derivation, note, key});
  return symbol;
}

}  // namespace tile2cu::emit
