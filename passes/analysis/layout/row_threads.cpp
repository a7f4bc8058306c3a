#include "passes/analysis/layout/row_threads.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/ir/walk.h"

namespace tile2cu::passes {
using namespace ir;

std::optional<ThreadRun> threadRun(llvm::ArrayRef<Digit> digits, unsigned k) {
  const Digit &first = digits[k];
  if (first.unit == Unit::Register) return std::nullopt;
  if (first.unit == Unit::Warp) return ThreadRun{first.stride.times(32), first.extent, 1};
  if (k + 1 < digits.size() && digits[k + 1].unit == Unit::Warp && digits[k + 1].stride == 1 &&
      first.stride * first.extent == 32)
    return ThreadRun{first.stride, first.extent * digits[k + 1].extent, 2};
  return ThreadRun{first.stride, first.extent, 1};
}

Dim threadsOfVectors(const LayoutDim &row) {
  const unsigned k = !row.digits.empty() && row.digits[0].unit == Unit::Register;
  if (row.digits.size() <= k || row.isPadded()) return 1;
  const auto run = threadRun(row.digits, k);
  if (!run || run->below != 1) return 1;
  return Dim(run->extent).orFrom(row.size.over(k ? row.digits[0].extent : 1));
}

bool hasVectors(const Layout &layout, unsigned dim) {
  const auto vector = vectorAxis(layout);
  const llvm::ArrayRef<Digit> digits = layout.dim(dim).digits;
  return vector && !digits.empty() && digits.front().unit == Unit::Register &&
         digits.front().axis == vector->axis;
}

std::vector<FullRow> fullRows(const Kernel &kernel) {
  std::vector<FullRow> found;
  if (kernel.options.numWarps == 1) return found;
  const int64_t all = int64_t{32} * kernel.options.numWarps;
  const auto isRegister = [](const Digit &digit) { return digit.unit == Unit::Register; };
  const auto add = [&](const Layout &layout, unsigned dim) {
    const LayoutDim &rows = layout.dim(1 - dim);
    const Dim threads = threadsOfVectors(layout.dim(dim));
    if (threads == all && threads.formula() && !rows.digits.empty() &&
        llvm::all_of(rows.digits, isRegister))
      found.push_back({threads, rows, hasVectors(layout, dim)});
  };
  walk(kernel.body, [&](const Op *op) {
    for (const auto &result : op->results)
      if (const LayoutRef layout = result->type.layout(); layout && layout->rank() == 2)
        for (unsigned dim : {0, 1}) add(*layout, dim);
  });
  return found;
}

}  // namespace tile2cu::passes
