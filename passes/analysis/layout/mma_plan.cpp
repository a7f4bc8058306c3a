#include "passes/analysis/layout/mma_plan.h"

#include <array>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/value/rematerializable.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// How warps are distributed over rows and columns of MMA tiles, and over the batch. Warps without
// an MMA tile of their own repeat the work of others.
struct WarpGrid {
  int64_t rows = 1, columns = 1, batch = 1;
};

// Uses all warps if they divide the MMA tiles. Prefers the fewest MMA tiles per warp, then the
// least padding, then the least operand data to load.
WarpGrid warpGrid(const MmaShape &shape, int64_t batchSize, int64_t rows, int64_t columns,
                  int64_t warps, bool rowsOnly) {
  if (rowsOnly && rows % warps == 0) return {warps, 1};
  WarpGrid best;
  std::array<int64_t, 3> least = {};
  for (int64_t used = warps; used > 0; --used) {
    if (warps % used != 0) continue;
    for (int64_t batch = 1; batch <= std::min(used, batchSize); ++batch) {
      if (used % batch != 0) continue;
      for (int64_t over = 1; over <= used / batch; ++over) {
        if (used / batch % over != 0) continue;
        WarpGrid grid{over, used / batch / over, batch};
        const int64_t b = llvm::divideCeil(batchSize, batch), i = llvm::divideCeil(rows, grid.rows),
                      j = llvm::divideCeil(columns, grid.columns);
        std::array<int64_t, 3> cost = {b * i * j, b * batch * i * grid.rows * j * grid.columns,
                                       b * (i * shape.m + j * shape.n)};
        if (least[0] && cost >= least) continue;
        least = cost;
        best = grid;
      }
    }
  }
  return best;
}

// `d` is the shape of the accumulator: rows and columns, after the batch size if there is one.
LayoutRef fragmentLayout(const MmaShape &shape, llvm::ArrayRef<Dim> d, int64_t warps,
                         WarpGrid grid) {
  const int64_t m = d[d.size() - 2], n = d.back();
  const int64_t i = llvm::divideCeil(m, shape.m * grid.rows),
                j = llvm::divideCeil(n, shape.n * grid.columns);
  const bool halves = shape.m == 16;    // two groups of 8 rows
  const unsigned first = d.size() - 2;  // register axis of the rows
  LayoutDim rows, columns;
  rows.size = m;
  rows.digits = {{Unit::Lane, 0, 4, 8},
                 {Unit::Register, first, 1, i},
                 {Unit::Warp, 0, grid.columns, grid.rows}};
  if (halves) rows.digits.insert(rows.digits.begin() + 1, {Unit::Register, first + 2, 1, 2});
  columns.size = n;
  columns.digits = {{Unit::Register, first + (halves ? 3u : 2u), 1, 2},
                    {Unit::Lane, 0, 1, 4},
                    {Unit::Register, first + 1, 1, j},
                    {Unit::Warp, 0, 1, grid.columns}};
  llvm::SmallVector<LayoutDim, 3> dims;
  llvm::SmallVector<int64_t, 5> axes;
  if (first) {
    axes.push_back(llvm::divideCeil(d[0], grid.batch));
    dims.emplace_back();
    dims[0].size = d[0];
    dims[0].digits = {{Unit::Register, 0, 1, axes[0]},
                      {Unit::Warp, 0, grid.rows * grid.columns, grid.batch}};
  }
  dims.append({rows, columns});
  for (LayoutDim &dim : dims)
    llvm::erase_if(dim.digits, [](const Digit &digit) {
      return digit.unit != Unit::Register && digit.extent == 1;
    });
  axes.append({i, j, 2});
  if (halves) axes.push_back(2);
  return std::make_shared<Layout>(warps, axes, dims);
}

// The same for wgmma, where each of the four warps of a warpgroup has every fourth block of 16
// rows: `grid` counts warpgroups.
LayoutRef groupLayout(int64_t m, int64_t n, int64_t warps, WarpGrid grid) {
  const int64_t i = llvm::divideCeil(m, kGroupRows * grid.rows),
                j = llvm::divideCeil(n, 8 * grid.columns);
  LayoutDim rows, columns;
  rows.size = m;
  rows.digits = {{Unit::Lane, 0, 4, 8}, {Unit::Register, 2, 1, 2}};
  if (grid.columns == 1) {
    rows.digits.append({{Unit::Warp, 0, 1, 4 * grid.rows}, {Unit::Register, 0, 1, i}});
  } else {
    rows.digits.append({{Unit::Warp, 0, 1, 4}, {Unit::Register, 0, 1, i}});
    if (grid.rows > 1) rows.digits.push_back({Unit::Warp, 0, 4 * grid.columns, grid.rows});
  }
  columns.size = n;
  columns.digits = {{Unit::Register, 3, 1, 2}, {Unit::Lane, 0, 1, 4}, {Unit::Register, 1, 1, j}};
  if (grid.columns > 1) columns.digits.push_back({Unit::Warp, 0, 4, grid.columns});
  return std::make_shared<Layout>(warps, llvm::ArrayRef<int64_t>{i, j, 2, 2},
                                  llvm::ArrayRef<LayoutDim>{rows, columns});
}

// Whether no group of `columns` columns crosses a panel boundary, however wide the panels are.
bool keepsPanels(int64_t columns) { return columns % 64 == 0 || llvm::isPowerOf2_64(columns); }

// Distributes warpgroups over rows if they divide the rows, because then all of them read the same
// second operand; otherwise over rows and columns. `inPanels` is the number of columns of that
// operand in adjacent panels.
std::optional<WarpGrid> groupGrid(const MmaShape &shape, int64_t m, int64_t n, int64_t groups,
                                  bool rowsOnly, bool inPanels) {
  for (int64_t over = groups; over > 0; --over) {
    if (groups % over != 0) continue;
    const WarpGrid grid{over, groups / over};
    const int64_t columns = llvm::divideCeil(n, 8 * grid.columns) * 8;
    const int64_t padded = llvm::alignTo(m, kGroupRows * grid.rows) * columns * grid.columns;
    const bool fits = grid.columns == 1 || !inPanels || keepsPanels(columns);
    if (fits && hasGroupForm(shape, columns) && padded * 2 <= m * n * 3) return grid;
    if (rowsOnly) break;
  }
  return std::nullopt;
}

// Whether operand `i` is in shared memory as wgmma needs it: contiguous along k, or for 16-bit
// elements also along the other dimension.
bool isGroupOperand(const Op *dot, unsigned i, const ContiguousDims &assumed) {
  const DotOperand operand = untransposed(dot->operand(i));
  const Type &type = operand.tile->type;
  return byteWidth(type.scalar()) == 2 || operand.dims[1 - i] == memoryDim(operand.tile, assumed);
}

// Whether neighbours of operand `i` in shared memory belong to different matmuls of a batch.
bool isBatchContiguous(const Op *dot, unsigned i, const ContiguousDims &assumed) {
  const DotOperand operand = untransposed(dot->operand(i));
  return operand.dims[0] == memoryDim(operand.tile, assumed);
}

// The wgmma form, or why there is none.
std::string planForGroups(const Op *dot, int numWarps, llvm::ArrayRef<Target> targets,
                          bool rowsOnly, const ContiguousDims &assumed, MmaPlan &plan) {
  const Type &d = dot->result()->type;
  if (!llvm::all_of(targets, [](const Target &target) { return target.isHopper(); }))
    return "a target is not sm_90a";
  if (d.rank() != 2) return "it is a batched dot";
  if (numWarps % 4 != 0) return "the number of warps is not a multiple of four";
  if (plan.isTripled || plan.shape->a == Scalar::F64) return "wgmma has no such types or precision";
  if (!isGroupOperand(dot, 0, assumed) || !isGroupOperand(dot, 1, assumed))
    return "wgmma needs operands of 8 and 32 bits with k as the last dimension in memory";
  const DotOperand second = untransposed(dot->operand(1));
  const bool inPanels = second.dims[1] == memoryDim(second.tile, assumed);
  auto grid = groupGrid(*plan.shape, d.shape()[0], d.shape()[1], numWarps / 4, rowsOnly, inPanels);
  if (!grid)
    return hasGroupForm(*plan.shape, llvm::alignTo(d.shape()[1], 8))
               ? "64 rows and 8 columns of each warpgroup would be mostly padding"
               : fmt::format("they have none of {} columns for its types", d.shape()[1]);
  plan.layout = groupLayout(d.shape()[0], d.shape()[1], numWarps, *grid);
  plan.groupColumns = 8 * plan.layout->registerAxes()[1];
  return "";
}

}  // namespace

DotOperand untransposed(Value *operand) {
  DotOperand result{operand, {}};
  for (unsigned d = 0; d < operand->type.rank(); ++d) result.dims.push_back(d);
  while (const Op *op = result.tile->definition) {
    if (op->kind == OpKind::Permute) {
      const auto &order = op->getInts(Attr::order);
      for (unsigned &dim : result.dims) dim = order[dim];
    } else if (op->kind != OpKind::Convert) {
      break;
    }
    result.tile = op->operand(0);
  }
  return result;
}

unsigned memoryDim(const Value *tile, const ContiguousDims &assumed) {
  const Op *op = tile->definition;
  if (const auto known = assumed.find(op); known != assumed.end()) return known->second;
  if (op && op->has(Attr::contiguous_dim)) return op->getInt(Attr::contiguous_dim);
  // A tile that is computed element-wise has the memory order of its source.
  if (op && op->is(Elementwise))
    for (const Value *operand : op->operands())
      if (operand && operand->type.isTile() && !isRematerializable(operand))
        return memoryDim(operand, assumed);
  return tile->type.rank() - 1;
}

bool feedsOnlyDots(const Value *tile) {
  return llvm::all_of(tile->users, [](const Op *user) {
    if (user->kind == OpKind::Permute) return feedsOnlyDots(user->result());
    return user->kind == OpKind::Dot;
  });
}

std::optional<MmaPlan> mmaPlan(const Op *dot, int numWarps, llvm::ArrayRef<Target> targets,
                               bool rowsOnly, std::string &why, const ContiguousDims &assumed) {
  const Type &d = dot->result()->type;
  const unsigned rank = d.rank();
  MmaPlan plan;
  plan.shape = mmaShape(dot->operand(0)->type.scalar(), dot->operand(1)->type.scalar(), d.scalar());
  const bool isFloat = d.scalar() == Scalar::F32 && plan.shape && plan.shape->a == Scalar::F32;
  const auto precision = dot->get(Attr::precision);
  if (!plan.shape)
    why = "no instruction has its types";
  else if (llvm::any_of(targets, [&](const Target &target) { return target.sm < plan.shape->sm; }))
    why = "a target has no such instruction";
  else if (d.shape()[rank - 2] == 1 || d.shape()[rank - 1] == 1)
    why = "it has a single row or column";
  else if (rank == 3 && (isBatchContiguous(dot, 0, assumed) || isBatchContiguous(dot, 1, assumed)))
    why = "neighbours in memory belong to different batches";
  else if (isFloat && precision == Precision::Ieee)
    why = "precision::ieee multiplies floats without rounding them to tf32";
  if (!why.empty()) return std::nullopt;
  plan.isTripled = isFloat && precision == Precision::Tf32x3;
  plan.whyNoGroups = planForGroups(dot, numWarps, targets, rowsOnly, assumed, plan);
  if (plan.whyNoGroups.empty()) return plan;
  const int64_t m = d.shape()[rank - 2], n = d.shape()[rank - 1];
  const WarpGrid grid =
      warpGrid(*plan.shape, rank == 3 ? d.shape()[0] : Dim(1), llvm::divideCeil(m, plan.shape->m),
               llvm::divideCeil(n, plan.shape->n), numWarps, rowsOnly);
  plan.layout = fragmentLayout(*plan.shape, d.shape(), numWarps, grid);
  return plan;
}

bool isOperandInPlace(const Op *dot) {
  const Type &a = dot->operand(0)->type, &d = dot->result()->type;
  const MmaShape *shape = dot->has(Attr::mma) ? &mmaShape(*dot->get(Attr::mma)) : nullptr;
  if (!shape || shape->perRegister() != 2 || d.rank() != 2) return false;
  const Layout &accumulator = *d.layout();
  if (accumulator.extentAlong(1, Unit::Warp) != 1 || a.shape()[1] % shape->k != 0) return false;
  const int64_t warps = accumulator.extentAlong(0, Unit::Warp);
  LayoutRef wanted =
      dot->has(Attr::group_columns)
          ? groupLayout(a.shape()[0], a.shape()[1], accumulator.numWarps(), WarpGrid{warps / 4, 1})
          : fragmentLayout(*shape, a.shape(), accumulator.numWarps(), {warps, 1});
  return *a.layout() == *wanted;
}

}  // namespace tile2cu::passes
