#include "passes/dot_layout.h"

#include <array>

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

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
      const int64_t i = ceilDiv(rows, grid.rows), j = ceilDiv(columns, grid.columns);
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
  const int64_t i = ceilDiv(m, shape.m * grid.rows), j = ceilDiv(n, shape.n * grid.columns);
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

}  // namespace

std::optional<MmaPlan> mmaPlan(const Op *dot, int numWarps, const PassContext &context,
                               bool rowsOnly, std::string &why) {
  const Type &d = dot->result()->type;
  MmaPlan plan;
  plan.shape = mmaShape(dot->operand(0)->type.scalar(), dot->operand(1)->type.scalar(), d.scalar());
  const bool isFloat = d.scalar() == Scalar::F32 && plan.shape && plan.shape->a == Scalar::F32;
  const std::string precision = dot->getString("precision");
  if (!plan.shape)
    why = "its types have none";
  else if (llvm::any_of(context.targets,
                        [&](const Target &target) { return target.sm < plan.shape->sm; }))
    why = "a target has no such instruction";
  else if (d.rank() != 2)
    why = "it is a batch of products";
  else if (d.shape()[0] == 1 || d.shape()[1] == 1)
    why = "it has a single row or column";
  else if (isFloat && precision == "ieee")
    why = "floats are multiplied as they are, by precision::ieee";
  if (!why.empty()) return std::nullopt;
  plan.isTripled = isFloat && precision == "tf32x3";
  const int64_t m = d.shape()[0], n = d.shape()[1];
  plan.layout = fragmentLayout(*plan.shape, m, n, numWarps,
                               warpGrid(*plan.shape, ceilDiv(m, plan.shape->m),
                                        ceilDiv(n, plan.shape->n), numWarps, rowsOnly));
  return plan;
}

bool isOperandInPlace(const Op *dot) {
  const Type &a = dot->operand(0)->type, &d = dot->result()->type;
  const MmaShape *shape = dot->has("mma") ? mmaShape(dot->getString("mma")) : nullptr;
  if (!shape || shape->perRegister() != 2) return false;
  const Layout &sums = *d.layout();
  if (sums.extentAlong(1, Unit::Warp) != 1 || a.shape()[1] % shape->k != 0) return false;
  LayoutRef wanted = fragmentLayout(*shape, a.shape()[0], a.shape()[1], sums.numWarps(),
                                    WarpGrid{sums.extentAlong(0, Unit::Warp), 1});
  return *a.layout() == *wanted;
}

}  // namespace tile2cu::passes
