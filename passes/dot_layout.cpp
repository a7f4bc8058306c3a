#include "passes/dot_layout.h"

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

constexpr int64_t kRows = 16, kColumns = 8;

// Warps over rows and columns: all of them if the tile divides so, with as little of both operands a warp as can be. Warps that
// have no part of their own do the same as others.
struct WarpGrid {
  int64_t rows = 0, columns = 0;
};
WarpGrid warpGrid(int64_t m, int64_t n, int64_t warps, bool rowsOnly) {
  if (rowsOnly && m % (kRows * warps) == 0) return {warps, 1};
  WarpGrid best;
  for (int64_t used = warps; used > 0 && !best.rows; --used) {
    if (warps % used != 0) continue;
    for (int64_t rows = 1; rows <= used; ++rows) {
      int64_t columns = used / rows;
      if (used % rows != 0 || m % (kRows * rows) != 0 || n % (kColumns * columns) != 0) continue;
      if (!best.rows || m / rows + n / columns < m / best.rows + n / best.columns)
        best = {rows, columns};
    }
  }
  return best;
}

LayoutRef fragmentLayout(int64_t m, int64_t n, int64_t warps, WarpGrid grid) {
  int64_t i = m / (kRows * grid.rows), j = n / (kColumns * grid.columns);
  LayoutDim rows, columns;
  rows.size = m;
  rows.digits = {{Unit::Lane, 0, 4, 8},
                 {Unit::Register, 2, 1, 2},
                 {Unit::Register, 0, 1, i},
                 {Unit::Warp, 0, grid.columns, grid.rows}};
  columns.size = n;
  columns.digits = {{Unit::Register, 3, 1, 2},
                    {Unit::Lane, 0, 1, 4},
                    {Unit::Register, 1, 1, j},
                    {Unit::Warp, 0, 1, grid.columns}};
  for (LayoutDim *dim : {&rows, &columns})
    llvm::erase_if(dim->digits, [](const Digit &digit) {
      return digit.unit != Unit::Register && digit.extent == 1;
    });
  return std::make_shared<Layout>(warps, llvm::ArrayRef<int64_t>{i, j, 2, 2},
                                  llvm::ArrayRef<LayoutDim>{rows, columns});
}

}  // namespace

std::optional<MmaPlan> mmaPlan(const Op *dot, int numWarps, const PassContext &context,
                               bool rowsOnly, std::string &why) {
  const Type &a = dot->operand(0)->type, &b = dot->operand(1)->type, &d = dot->result()->type;
  Scalar scalar = a.scalar();
  MmaPlan plan;
  if (llvm::any_of(context.targets, [](const Target &target) { return target.sm < 80; }))
    why = "a target has no such instruction";
  else if (d.rank() != 2)
    why = "it is a batch of products";
  else if (scalar != b.scalar() || !isHalf(scalar) || d.scalar() != Scalar::F32)
    why = "its types have none";
  else if (d.shape()[0] % kRows != 0 || d.shape()[1] % kColumns != 0 ||
           a.shape()[1] % plan.depth != 0)
    why = "the tiles are no multiples of 16 x 8 x 16";
  if (!why.empty()) return std::nullopt;
  plan.instruction = scalar == Scalar::F16 ? "mma_m16n8k16_f16" : "mma_m16n8k16_bf16";
  plan.layout = fragmentLayout(d.shape()[0], d.shape()[1], numWarps,
                               warpGrid(d.shape()[0], d.shape()[1], numWarps, rowsOnly));
  return plan;
}

bool isOperandInPlace(const Op *dot) {
  const Type &a = dot->operand(0)->type, &d = dot->result()->type;
  if (!dot->has("mma") || !isHalf(a.scalar()) || a.rank() != 2) return false;
  const Layout &sums = *d.layout();
  const int64_t rows = sums.extentAlong(0, Unit::Warp);
  if (sums.extentAlong(1, Unit::Warp) != 1 || a.shape()[1] % (2 * kColumns) != 0) return false;
  LayoutRef wanted = fragmentLayout(a.shape()[0], a.shape()[1], sums.numWarps(), WarpGrid{rows, 1});
  return *a.layout() == *wanted;
}

}  // namespace tile2cu::passes
