// The numbers of threads in a layout: those along a row, rows of a step, warps of an accumulator.
#include "emit/cuda/own_numbers.h"
#include "emit/lower/constant_table.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/accumulator_dims.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

Expr ConstantTable::derived(llvm::StringRef name, int64_t value, const Expr &derivation,
                            const std::string &second) {
  if (derivation.isName()) return derivation;
  for (const Constant &constant : all_)
    if (constant.name.wanted() == name && constant.derivation == derivation &&
        constant.value == value)
      return named(constant.name);
  all_.push_back({names_.symbol(name, {.second = second}), value, derivation, ""});
  return named(all_.back().name);
}

ConstantTable::RowThreads ConstantTable::threadsOfRow(const Dim &threads, bool haveVectors) {
  if (!threads.formula()) return {};
  if (!rows_) {
    rows_.emplace();
    const auto add = [&](const Op *op) {
      for (const auto &result : op->results) {
        const LayoutRef layout = result->type.layout();
        if (!layout) continue;
        for (unsigned dim = 0; dim < layout->rank(); ++dim)
          if (const Dim row = passes::threadsOfVectors(layout->dim(dim));
              row.formula() && passes::hasVectors(*layout, dim))
            rows_->try_emplace(row.str(), layout, dim);
      }
    };
    walk(kernel_.body, add);
  }
  Expr derivation = number(threads);
  // Threads without vectors are not those of another tile's vectors, though they may be as many.
  if (const auto known = rows_->find(threads.str()); known != rows_->end() && haveVectors) {
    const auto &[layout, dim] = known->second;
    const unsigned axis = layout->dim(dim).digits.front().axis;
    if (!isDropped(*layout, axis))
      derivation =
          binary(Prec::Multiplicative, "/", number(layout->dim(dim).size), extent(*layout, axis));
  }
  if (derivation.isLiteral()) return {};
  // THREADS_PER_BLOCK_N, where THREADS_PER_ROW are those of another row: BLOCK_N / VEC.
  RowThreads result;
  const llvm::ArrayRef<Expr> operands = derivation.operands();
  if (!operands.empty() && operands[0].isName()) result.row = operands[0].symbol().wanted().str();
  result.count = derived(own_number::kRowThreads, threads, derivation,
                         result.row.empty() ? "" : "THREADS_PER_" + result.row);
  return result;
}

Expr ConstantTable::rowsPerStep(const Dim &threads, bool haveVectors) {
  const Expr all = kernel_.options.numWarps == 1 ? integer(32) : named("NUM_THREADS");
  const RowThreads perRow = threadsOfRow(threads, haveVectors);
  // BLOCK_N_ROWS_PER_STEP for THREADS_PER_BLOCK_N.
  const Expr rows =
      derived(own_number::kRows, 32 * kernel_.options.numWarps / threads,
              binary(Prec::Multiplicative, "/", all, perRow.count),
              perRow.row.empty() ? "" : fmt::format("{}_{}", perRow.row, own_number::kRows.str()));
  for (Constant &constant : all_)
    if (rows.isName(constant.name) && constant.value == 1)
      constant.axis = passes::fullRowKey(threads, haveVectors);
  return rows;
}

ConstantTable::Threads ConstantTable::threadsAt(const Layout &layout, unsigned dim, unsigned &k) {
  const llvm::ArrayRef<Digit> digits = layout.dim(dim).digits;
  const int64_t warps = kernel_.options.numWarps, all = 32 * warps;
  const LayoutDim &own = layout.dim(dim);
  if (passes::areMmaRows(own) ? k == 0 : passes::areMmaColumns(own) && k == 1)
    return {unitPart(digits[k]), integer(digits[k].extent), digits[k].extent};
  const passes::ThreadRun run = *passes::threadRun(digits, k);
  const auto part = [](const Expr &of, const char *op, const Expr &by) {
    return binary(Prec::Multiplicative, op, of, by);
  };
  const Dim row = run.below == 1 ? passes::threadsOfVectors(layout.dim(dim)) : run.below;
  // Unsigned numbers are divided by fewer instructions.
  const Expr thread = member(word("threadIdx"), "x"), lane = named("lane");
  if (run.below == 1 && run.extent == all && warps > 1) {
    ++k;
    const bool haveVectors = passes::hasVectors(layout, dim);
    if (!isFullRow(row, haveVectors)) return {named("tid"), named("NUM_THREADS"), all};
    const Expr perRow = threadsPerRow(row, haveVectors);
    rowsPerStep(row, haveVectors);
    return {part(thread, "%", perRow), perRow, row, true};
  }
  const bool isColumn = run.below == 1 && row == run.extent && run.extent < all,
             isRow = run.below > 1 && run.below * run.extent == all;
  // The rows of a tile, alone, do not say whether it has vectors.
  const bool haveVectors =
      isColumn ? passes::hasVectors(layout, dim) : layout.rank() == 1 || passes::vectorAxis(layout);
  if (const Expr perRow = isColumn || isRow ? threadsPerRow(row, haveVectors) : Expr{}) {
    k += run.digits - 1;
    const Expr rows = rowsPerStep(row, haveVectors), index = warps > 1 ? thread : lane;
    if (isColumn) return {part(index, "%", perRow), perRow, row, warps > 1};
    return {part(index, "/", perRow), rows, run.extent, warps > 1};
  }
  const Digit &digit = digits[k];
  const bool isLane = digit.unit == Unit::Lane;
  if (const auto ofMma = isLane ? std::nullopt : mmaWarps(layout, dim)) return *ofMma;
  const bool areAllWarps = !isLane && digit.stride == 1 && digit.extent == warps;
  const Expr extent = areAllWarps ? named("NUM_WARPS") : integer(digit.extent);
  return {unitPart(digit), extent, digit.extent};
}

llvm::ArrayRef<passes::FullRow> ConstantTable::fullRows() {
  if (!fullRows_) fullRows_ = passes::fullRows(kernel_);
  return *fullRows_;
}

bool ConstantTable::isFullRow(const Dim &threads, bool haveVectors) {
  if (threads != 32 * kernel_.options.numWarps || !threads.formula()) return false;
  const auto isSame = [&](const passes::FullRow &known) {
    return known.threads.str() == threads.str() && known.haveVectors == haveVectors;
  };
  return llvm::any_of(fullRows(), isSame) && !unitAxes_.containFullRow(threads, haveVectors) &&
         threadsPerRow(threads, haveVectors);
}

std::optional<ConstantTable::Threads> ConstantTable::threadsOfFullRows(const Layout &layout,
                                                                       unsigned dim) {
  const LayoutDim &own = layout.dim(dim);
  const auto isThread = [](const Digit &digit) { return digit.unit != Unit::Register; };
  if (own.digits.empty() || llvm::any_of(own.digits, isThread)) return std::nullopt;
  const auto areSame = [](const Digit &a, const Digit &b) {
    return a.unit == b.unit && a.extent == b.extent;
  };
  const auto areRows = [&](const passes::FullRow &known) {
    const LayoutDim &rows = known.rows;
    return rows.size == own.size && rows.size.hasFormulaOf(own.size) &&
           llvm::equal(rows.digits, own.digits, areSame) &&
           isFullRow(known.threads, known.haveVectors);
  };
  Dim row = 1;
  bool haveVectors = false;
  if (layout.rank() == 2 && layout.dim(1 - dim).size != 1) {
    row = passes::threadsOfVectors(layout.dim(1 - dim));
    haveVectors = passes::hasVectors(layout, 1 - dim);
  } else if (const auto known = llvm::find_if(fullRows(), areRows); known != fullRows().end()) {
    row = known->threads;
    haveVectors = known->haveVectors;
  }
  if (!isFullRow(row, haveVectors)) return std::nullopt;
  const Expr index = binary(Prec::Multiplicative, "/", member(word("threadIdx"), "x"),
                            threadsPerRow(row, haveVectors));
  return Threads{index, rowsPerStep(row, haveVectors), 1, true};
}

// The columns of the accumulator that `rows` are a slice of, where several warps share them.
const LayoutDim *ConstantTable::columnsBeside(const LayoutDim &rows) {
  if (!accumulators_) {
    accumulators_.emplace();
    walk(kernel_.body, [&](const Op *op) {
      for (const auto &result : op->results)
        if (const LayoutRef layout = result->type.layout();
            layout && passes::dividedColumns(*layout))
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
        return passes::dividedColumns(*layout);
  return nullptr;
}

std::optional<ConstantTable::Threads> ConstantTable::mmaWarps(const Layout &layout, unsigned dim) {
  const LayoutDim &own = layout.dim(dim);
  const LayoutDim *columns = passes::dividedColumns(layout);
  if (!columns && layout.rank() == 1 && passes::areMmaRows(own)) columns = columnsBeside(own);
  const auto digit = passes::onlyWarpsOf(own);
  if (!columns || !digit) return std::nullopt;
  const int64_t n = passes::onlyWarpsOf(*columns)->extent;
  const bool isRow = passes::areMmaRows(own) && digit->extent * n == kernel_.options.numWarps &&
                     (digit->extent == 1 || digit->stride == n);
  if (&own != columns && !isRow) return std::nullopt;
  Expr &name = warpsN_[{columns->size.str(), n}];
  if (!name) {
    all_.push_back(
        {names_.symbol(own_number::kWarpsN), n, {}, "warps along the columns of a tile"});
    name = named(all_.back().name);
  }
  const Expr index = binary(Prec::Multiplicative, isRow ? "/" : "%", named("warp"), name);
  const Expr rows = binary(Prec::Multiplicative, "/", named("NUM_WARPS"), name);
  return Threads{index, isRow ? rows : name, digit->extent};
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

}  // namespace tile2cu::emit
