#include "passes/dot_layout.h"

#include <array>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/cheap.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Warps over rows and columns of matrices. Warps that have no part of their own do the same as others.
struct WarpGrid {
  int64_t rows = 1, columns = 1;
};

// All warps if they divide the matrices so that each has few of them: fewest matrices a warp, then least padding, then least
// of both operands to load.
WarpGrid warpGrid(const MmaShape &shape, int64_t rows, int64_t columns, int64_t warps,
                  bool rowsOnly) {
  if (rowsOnly && rows % warps == 0) return {warps, 1};
  WarpGrid best;
  std::array<int64_t, 3> least = {};
  for (int64_t used = warps; used > 0; --used) {
    if (warps % used != 0) continue;
    for (int64_t over = 1; over <= used; ++over) {
      if (used % over != 0) continue;
      WarpGrid grid{over, used / over};
      const int64_t i = llvm::divideCeil(rows, grid.rows),
                    j = llvm::divideCeil(columns, grid.columns);
      std::array<int64_t, 3> cost = {i * j, i * grid.rows * j * grid.columns,
                                     i * shape.m + j * shape.n};
      if (least[0] && cost >= least) continue;
      least = cost;
      best = grid;
    }
  }
  return best;
}

LayoutRef fragmentLayout(const MmaShape &shape, int64_t m, int64_t n, int64_t warps,
                         WarpGrid grid) {
  const int64_t i = llvm::divideCeil(m, shape.m * grid.rows),
                j = llvm::divideCeil(n, shape.n * grid.columns);
  const bool halves = shape.m == 16;  // two groups of 8 rows
  LayoutDim rows, columns;
  rows.size = m;
  rows.digits = {
      {Unit::Lane, 0, 4, 8}, {Unit::Register, 0, 1, i}, {Unit::Warp, 0, grid.columns, grid.rows}};
  if (halves) rows.digits.insert(rows.digits.begin() + 1, {Unit::Register, 2, 1, 2});
  columns.size = n;
  columns.digits = {{Unit::Register, halves ? 3u : 2u, 1, 2},
                    {Unit::Lane, 0, 1, 4},
                    {Unit::Register, 1, 1, j},
                    {Unit::Warp, 0, 1, grid.columns}};
  for (LayoutDim *dim : {&rows, &columns})
    llvm::erase_if(dim->digits, [](const Digit &digit) {
      return digit.unit != Unit::Register && digit.extent == 1;
    });
  llvm::SmallVector<int64_t, 4> axes = {i, j, 2};
  if (halves) axes.push_back(2);
  return std::make_shared<Layout>(warps, axes, llvm::ArrayRef<LayoutDim>{rows, columns});
}

// The same where each of the four warps of a group has every fourth of 16 rows: `grid` counts groups.
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

// Whether no part of `columns` crosses from one panel to the next in its middle, however wide panels are.
bool keepsPanels(int64_t columns) { return columns % 64 == 0 || llvm::isPowerOf2_64(columns); }

// Warpgroups over rows and columns: over rows if they divide them, as then all of them read the same second operand. `inPanels`:
// the columns of that stand in panels next to each other.
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

// Whether operand `i` stands in shared memory as the instructions of a warpgroup take it: rows along k, for 16-bit elements also
// rows across.
bool isGroupOperand(const Op *dot, unsigned i) {
  const DotOperand operand = untransposed(dot->operand(i));
  const Type &type = operand.tile->type;
  return byteWidth(type.scalar()) == 2 || operand.dims[1 - i] == memoryDim(operand.tile);
}

// The form for warpgroups, or why there is none.
std::string planForGroups(const Op *dot, int numWarps, llvm::ArrayRef<Target> targets,
                          bool rowsOnly, MmaPlan &plan) {
  const Type &d = dot->result()->type;
  if (!llvm::all_of(targets, [](const Target &target) { return target.isHopper(); }))
    return "a target is not sm_90a";
  if (numWarps % 4 != 0) return "the warps are no groups of four";
  if (plan.isTripled || plan.shape->a == Scalar::F64) return "they have no such product";
  if (!isGroupOperand(dot, 0) || !isGroupOperand(dot, 1))
    return "they want operands of 8 and 32 bits with k as the last dimension in memory";
  const DotOperand second = untransposed(dot->operand(1));
  const bool inPanels = second.dims[1] == memoryDim(second.tile);
  auto grid = groupGrid(*plan.shape, d.shape()[0], d.shape()[1], numWarps / 4, rowsOnly, inPanels);
  if (!grid)
    return hasGroupForm(*plan.shape, llvm::alignTo(d.shape()[1], 8))
               ? "64 rows and 8 columns of each warpgroup would be mostly padding"
               : "they have none of " + std::to_string(d.shape()[1]) + " columns for its types";
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
      auto order = op->getInts("order");
      for (unsigned &dim : result.dims) dim = order[dim];
    } else if (op->kind != OpKind::Convert) {
      break;
    }
    result.tile = op->operand(0);
  }
  return result;
}

unsigned memoryDim(const Value *tile) {
  const Op *op = tile->definition;
  if (op && op->has("fastest")) return op->getInt("fastest");
  // What is computed from a tile is where that is.
  if (op && op->is(Elementwise))
    for (const Value *operand : op->operands())
      if (operand && operand->type.isTile() && !isCheap(operand)) return memoryDim(operand);
  return tile->type.rank() - 1;
}

std::optional<MmaPlan> mmaPlan(const Op *dot, int numWarps, llvm::ArrayRef<Target> targets,
                               bool rowsOnly, std::string &why) {
  const Type &d = dot->result()->type;
  MmaPlan plan;
  plan.shape = mmaShape(dot->operand(0)->type.scalar(), dot->operand(1)->type.scalar(), d.scalar());
  const bool isFloat = d.scalar() == Scalar::F32 && plan.shape && plan.shape->a == Scalar::F32;
  const std::string precision = dot->getString("precision");
  if (!plan.shape)
    why = "its types have none";
  else if (llvm::any_of(targets, [&](const Target &target) { return target.sm < plan.shape->sm; }))
    why = "a target has no such instruction";
  else if (d.rank() != 2)
    why = "it is a batch of products";
  else if (d.shape()[0] == 1 || d.shape()[1] == 1)
    why = "it has a single row or column";
  else if (isFloat && precision == "ieee")
    why = "floats are multiplied as they are, by precision::ieee";
  if (!why.empty()) return std::nullopt;
  plan.isTripled = isFloat && precision == "tf32x3";
  plan.whyNoGroups = planForGroups(dot, numWarps, targets, rowsOnly, plan);
  if (plan.whyNoGroups.empty()) return plan;
  const int64_t m = d.shape()[0], n = d.shape()[1];
  plan.layout = fragmentLayout(*plan.shape, m, n, numWarps,
                               warpGrid(*plan.shape, llvm::divideCeil(m, plan.shape->m),
                                        llvm::divideCeil(n, plan.shape->n), numWarps, rowsOnly));
  return plan;
}

bool isOperandInPlace(const Op *dot) {
  const Type &a = dot->operand(0)->type, &d = dot->result()->type;
  const MmaShape *shape = dot->has("mma") ? mmaShape(dot->getString("mma")) : nullptr;
  if (!shape || shape->perRegister() != 2) return false;
  const Layout &sums = *d.layout();
  if (sums.extentAlong(1, Unit::Warp) != 1 || a.shape()[1] % shape->k != 0) return false;
  const int64_t warps = sums.extentAlong(0, Unit::Warp);
  LayoutRef wanted =
      dot->has("group_columns")
          ? groupLayout(a.shape()[0], a.shape()[1], sums.numWarps(), WarpGrid{warps / 4, 1})
          : fragmentLayout(*shape, a.shape()[0], a.shape()[1], sums.numWarps(), {warps, 1});
  return *a.layout() == *wanted;
}

}  // namespace tile2cu::passes
