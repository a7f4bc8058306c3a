#include "emit/lower/constant_table.h"

#include <algorithm>

#include "emit/cuda/own_numbers.h"
#include "emit/spelling/cuda_scalar.h"
#include "emit/spelling/size_expr.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

namespace {

struct FragmentAxis {
  llvm::StringRef name, note;
};

// An MMA accumulator: matrices of 16 rows and 8 columns, of which a thread holds two neighbours in
// each of two rows, 8 apart (lane / 4 * 8 ..., lane % 4 * 2 ...).
bool beginsWith(const LayoutDim &dim, const Digit &first, const Digit &second) {
  auto is = [&](unsigned i, const Digit &digit) {
    const Digit &own = dim.digits[i];
    return own.unit == digit.unit && own.extent == digit.extent &&
           (own.unit == Unit::Register || own.stride == digit.stride);
  };
  return dim.digits.size() >= 2 && is(0, first) && is(1, second);
}
bool areMmaRows(const LayoutDim &dim) {
  return beginsWith(dim, {Unit::Lane, 0, 4, 8}, {Unit::Register, 0, 1, 2});
}
bool areMmaColumns(const LayoutDim &dim) {
  return beginsWith(dim, {Unit::Register, 0, 1, 2}, {Unit::Lane, 0, 1, 4});
}

// The digit of warps; of extent 1 where there is none.
Digit warpsOf(const LayoutDim &dim) {
  const auto isWarp = [](const Digit &digit) { return digit.unit == Unit::Warp; };
  const auto found = llvm::find_if(dim.digits, isWarp);
  return found == dim.digits.end() ? Digit{Unit::Warp} : *found;
}

// The name of a register axis of an MMA accumulator; null in any other layout.
const FragmentAxis *fragmentAxis(const LayoutDim &dim, unsigned digit) {
  static constexpr FragmentAxis pair{own_number::kPair, "neighbouring columns of an MMA tile"},
      halves{own_number::kHalves, "rows of an MMA tile in a thread, 8 apart"},
      rows{own_number::kMmaRows, "MMA accumulators along the rows of a warp"},
      columns{own_number::kMmaColumns, "MMA accumulators along the columns of a warp"};
  if (digit >= dim.digits.size() || dim.digits[digit].unit != Unit::Register) return nullptr;
  if (areMmaRows(dim)) return digit == 1 ? &halves : &rows;
  if (areMmaColumns(dim)) return digit == 0 ? &pair : &columns;
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
  const Expr written = sizeExpr(size, kernel_, arguments_);
  if (!written) return literal(type, size);
  for (const TemplateArgument &argument : arguments_)
    if (mentions(written, argument.name)) nameOf(argument.name, *argument.integer);
  return written;
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

// ---- threads

namespace {

struct ThreadRun {
  Dim below = 1;  // threads of one index
  int64_t extent = 1;
  unsigned digits = 1;
};

// The digits from `k` on that are one part of the thread's index.
std::optional<ThreadRun> threadRun(llvm::ArrayRef<Digit> digits, unsigned k) {
  const Digit &first = digits[k];
  if (first.unit == Unit::Register) return std::nullopt;
  if (first.unit == Unit::Warp) return ThreadRun{first.stride.times(32), first.extent, 1};
  if (k + 1 < digits.size() && digits[k + 1].unit == Unit::Warp && digits[k + 1].stride == 1 &&
      first.stride * first.extent == 32)
    return ThreadRun{first.stride, first.extent * digits[k + 1].extent, 2};
  return ThreadRun{first.stride, first.extent, 1};
}

// How many threads a row has if each has one vector of it. Without a formula else.
Dim threadsOfVectors(const LayoutDim &dim) {
  const unsigned k = !dim.digits.empty() && dim.digits[0].unit == Unit::Register;
  if (dim.digits.size() <= k || dim.isPadded()) return 1;
  const auto run = threadRun(dim.digits, k);
  if (!run || run->below != 1) return 1;
  return Dim(run->extent).orFrom(dim.size.over(k ? dim.digits[0].extent : 1));
}

}  // namespace

Expr ConstantTable::derived(llvm::StringRef name, int64_t value, const Expr &derivation,
                            const std::string &second) {
  if (derivation.isName()) return derivation;
  for (const Constant &constant : all_)
    if (wantedName(constant.name) == name && constant.derivation == derivation &&
        constant.value == value)
      return named(constant.name);
  all_.push_back({names_.symbol(name, {.second = second}), value, derivation, ""});
  return named(all_.back().name);
}

Expr ConstantTable::threadsPerRow(const Dim &threads) {
  if (!threads.formula()) return {};
  if (!rows_) {
    rows_.emplace();
    const auto add = [&](const Op *op) {
      for (const auto &result : op->results) {
        const LayoutRef layout = result->type.layout();
        if (!layout) continue;
        for (const LayoutDim &dim : layout->dims())
          if (const Dim row = threadsOfVectors(dim); row.formula())
            rows_->try_emplace(row.str(), layout);
      }
    };
    walk(kernel_.body, add);
  }
  Expr derivation = number(threads);
  if (const auto known = rows_->find(threads.str()); known != rows_->end()) {
    const Layout &layout = *known->second;
    for (const LayoutDim &dim : layout.dims()) {
      if (threadsOfVectors(dim).str() != threads.str()) continue;
      const auto vector = passes::vectorAxis(layout);
      const Digit &first = dim.digits.front();
      if (vector && first.unit == Unit::Register && first.axis == vector->axis &&
          !isDropped(layout, vector->axis))
        derivation =
            binary(Prec::Multiplicative, "/", number(dim.size), extent(layout, first.axis));
    }
  }
  if (derivation.isLiteral()) return {};
  // THREADS_PER_BLOCK_N, where THREADS_PER_ROW are those of another row: BLOCK_N / VEC.
  const llvm::ArrayRef<Expr> operands = derivation.operands();
  const bool isOfName = !operands.empty() && operands[0].isName();
  return derived(own_number::kRowThreads, threads, derivation,
                 isOfName ? "THREADS_PER_" + wantedName(operands[0].spelling()).str() : "");
}

// BLOCK_N_ROWS_PER_WARP for THREADS_PER_BLOCK_N.
static std::string secondForRows(llvm::StringRef name, const Expr &threadsPerRow) {
  llvm::StringRef size = threadsPerRow.isName() ? secondName(threadsPerRow.spelling()) : "";
  return size.consume_front("THREADS_PER_") ? size.str() + "_" + name.str() : "";
}

Expr ConstantTable::rowsPerStep(const Dim &threads) {
  const Expr all = kernel_.options.numWarps == 1 ? integer(32) : named("NUM_THREADS");
  const Expr perRow = threadsPerRow(threads);
  const Expr rows = derived(own_number::kRows, 32 * kernel_.options.numWarps / threads,
                            binary(Prec::Multiplicative, "/", all, perRow),
                            secondForRows(own_number::kRows, perRow));
  for (Constant &constant : all_)
    if (constant.name == rows.spelling() && constant.value == 1)
      constant.axis = passes::fullRowKey(threads);
  return rows;
}

Expr ConstantTable::rowsPerWarp(const Dim &threads) {
  const Expr perRow = threadsPerRow(threads);
  return derived(own_number::kWarpRows, 32 / threads,
                 binary(Prec::Multiplicative, "/", integer(32), perRow),
                 secondForRows(own_number::kWarpRows, perRow));
}

llvm::SmallVector<ConstantTable::Threads, 2> ConstantTable::threadsAt(const Layout &layout,
                                                                      unsigned dim, unsigned &k) {
  const llvm::ArrayRef<Digit> digits = layout.dim(dim).digits;
  const int64_t warps = kernel_.options.numWarps, all = 32 * warps;
  const ThreadRun run = *threadRun(digits, k);
  const auto part = [](const Expr &of, const char *op, const Expr &by) {
    return binary(Prec::Multiplicative, op, of, by);
  };
  const Dim row = run.below == 1 ? threadsOfVectors(layout.dim(dim)) : run.below;
  // Unsigned numbers are divided by fewer instructions.
  const Expr thread = member(word("threadIdx"), "x"), lane = named("lane"), warp = named("warp");
  if (run.below == 1 && run.extent == all && warps > 1) {
    ++k;
    if (!isFullRow(row)) return {{named("tid"), named("NUM_THREADS"), all}};
    const Expr perRow = threadsPerRow(row);
    rowsPerStep(row);
    return {{part(thread, "%", perRow), perRow, row, true}};
  }
  const bool isColumn = run.below == 1 && row == run.extent && run.extent < all,
             isRow = run.below > 1 && run.below * run.extent == all;
  if (const Expr perRow = isColumn || isRow ? threadsPerRow(row) : Expr{}) {
    k += run.digits - 1;
    if (row > 32) rowsPerStep(row);
    if (isColumn && row <= 32) return {{part(lane, "%", perRow), perRow, row}};
    if (isColumn) return {{part(thread, "%", perRow), perRow, row, true}};
    if (row > 32) return {{part(thread, "/", perRow), rowsPerStep(row), run.extent, true}};
    llvm::SmallVector<Threads, 2> rows{{part(lane, "/", perRow), rowsPerWarp(row), 32 / row}};
    if (warps > 1) rows.push_back({warp, named("NUM_WARPS"), warps});
    return rows;
  }
  const Digit &digit = digits[k];
  const bool isLane = digit.unit == Unit::Lane;
  if (const auto ofMma = isLane ? std::nullopt : mmaWarps(layout, dim)) return {*ofMma};
  const bool areAllWarps = !isLane && digit.stride == 1 && digit.extent == warps;
  const Expr extent = areAllWarps ? named("NUM_WARPS") : integer(digit.extent);
  return {{unitPart(digit), extent, digit.extent}};
}

llvm::ArrayRef<std::pair<Dim, LayoutDim>> ConstantTable::fullRows() {
  if (fullRows_) return *fullRows_;
  fullRows_.emplace();
  const int64_t all = 32 * kernel_.options.numWarps;
  const auto isRegister = [](const Digit &digit) { return digit.unit == Unit::Register; };
  const auto add = [&](const Layout &layout, unsigned dim) {
    const LayoutDim &rows = layout.dim(1 - dim);
    const Dim row = threadsOfVectors(layout.dim(dim));
    if (row == all && row.formula() && !rows.digits.empty() &&
        llvm::all_of(rows.digits, isRegister))
      fullRows_->push_back({row, rows});
  };
  walk(kernel_.body, [&](const Op *op) {
    for (const auto &result : op->results)
      if (const LayoutRef layout = result->type.layout(); layout && layout->rank() == 2)
        for (unsigned dim : {0, 1}) add(*layout, dim);
  });
  return *fullRows_;
}

bool ConstantTable::isFullRow(const Dim &threads) {
  const int64_t warps = kernel_.options.numWarps;
  if (warps == 1 || threads != 32 * warps || !threads.formula()) return false;
  const auto isSame = [&](const auto &known) { return known.first.str() == threads.str(); };
  return llvm::any_of(fullRows(), isSame) && !unitAxes_.containFullRow(threads) &&
         threadsPerRow(threads);
}

std::optional<ConstantTable::Threads> ConstantTable::threadsOfFullRows(const Layout &layout,
                                                                       unsigned dim) {
  const LayoutDim &own = layout.dim(dim);
  const auto isThread = [](const Digit &digit) { return digit.unit != Unit::Register; };
  if (own.digits.empty() || llvm::any_of(own.digits, isThread)) return std::nullopt;
  const auto areSame = [](const Digit &a, const Digit &b) {
    return a.unit == b.unit && a.extent == b.extent;
  };
  const auto areRows = [&](const auto &known) {
    const LayoutDim &rows = known.second;
    return rows.size == own.size && rows.size.hasFormulaOf(own.size) &&
           llvm::equal(rows.digits, own.digits, areSame) && isFullRow(known.first);
  };
  Dim row = 1;
  if (layout.rank() == 2 && layout.dim(1 - dim).size != 1) {
    row = threadsOfVectors(layout.dim(1 - dim));
  } else if (const auto known = llvm::find_if(fullRows(), areRows); known != fullRows().end()) {
    row = known->first;
  }
  if (!isFullRow(row)) return std::nullopt;
  const Expr index =
      binary(Prec::Multiplicative, "/", member(word("threadIdx"), "x"), threadsPerRow(row));
  return Threads{index, rowsPerStep(row), 1, true};
}

// The columns of an accumulator that several warps share; null: none.
static const LayoutDim *dividedColumns(const Layout &layout) {
  const auto isDivided = [](const LayoutDim &dim) {
    return areMmaColumns(dim) && warpsOf(dim).stride == 1 && warpsOf(dim).extent > 1;
  };
  const auto columns = llvm::find_if(layout.dims(), isDivided);
  return columns == layout.dims().end() ? nullptr : &*columns;
}

// The same of the accumulator that `rows` are a slice of.
const LayoutDim *ConstantTable::columnsBeside(const LayoutDim &rows) {
  if (!accumulators_) {
    accumulators_.emplace();
    walk(kernel_.body, [&](const Op *op) {
      for (const auto &result : op->results)
        if (const LayoutRef layout = result->type.layout(); layout && dividedColumns(*layout))
          accumulators_->push_back(layout);
    });
  }
  const auto areSame = [](const Digit &a, const Digit &b) {
    return a.unit == b.unit && a.stride == b.stride && a.extent == b.extent;
  };
  for (const LayoutRef &layout : *accumulators_)
    for (const LayoutDim &dim : layout->dims())
      if (dim.size == rows.size && dim.size.hasFormulaOf(rows.size) &&
          llvm::equal(dim.digits, rows.digits, areSame))
        return dividedColumns(*layout);
  return nullptr;
}

std::optional<ConstantTable::Threads> ConstantTable::mmaWarps(const Layout &layout, unsigned dim) {
  const LayoutDim &own = layout.dim(dim);
  const LayoutDim *columns = dividedColumns(layout);
  if (!columns && layout.rank() == 1 && areMmaRows(own)) columns = columnsBeside(own);
  if (!columns) return std::nullopt;
  const int64_t n = warpsOf(*columns).extent;
  const Digit digit = warpsOf(own);
  const bool isRow = areMmaRows(own) && digit.extent * n == kernel_.options.numWarps &&
                     (digit.extent == 1 || digit.stride == n);
  if (&own != columns && !isRow) return std::nullopt;
  Expr &name = warpsN_[{columns->size.str(), n}];
  if (!name) {
    all_.push_back(
        {names_.symbol(own_number::kWarpsN), n, {}, "warps along the columns of a tile"});
    name = named(all_.back().name);
  }
  const Expr index = binary(Prec::Multiplicative, isRow ? "/" : "%", named("warp"), name);
  const Expr rows = binary(Prec::Multiplicative, "/", named("NUM_WARPS"), name);
  return Threads{index, isRow ? rows : name, digit.extent};
}

Expr ConstantTable::unitPart(const Digit &digit) const {
  const bool isLane = digit.unit == Unit::Lane;
  const int64_t all = isLane ? 32 : kernel_.options.numWarps;
  Expr e = named(isLane ? "lane" : "warp");
  if (digit.stride > 1) e = binary(Prec::Multiplicative, "/", e, integer(digit.stride));
  if (digit.stride * digit.extent < all)
    e = binary(Prec::Multiplicative, "%", e, integer(digit.extent));
  return e;
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
    return digit.unit == Unit::Register && !(vector && digit.axis == vector->axis);
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
  for (unsigned k = 0; k < digits.size(); ++k) {
    if (k == use->digit) continue;
    if (digits[k].unit != Unit::Register) {
      for (const Threads &threads : threadsAt(layout, use->dim, k)) {
        product *= threads.value;
        multiply(threads.extent);
      }
    } else {
      product *= digits[k].extent;
      if (!isDropped(layout, digits[k].axis)) multiply(extent(layout, digits[k].axis));
    }
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
