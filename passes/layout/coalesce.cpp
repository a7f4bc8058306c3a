#include "passes/layout/coalesce.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/global_access.h"
#include "passes/target/memory_system.h"

namespace tile2cu::passes {
using namespace ir;

static int64_t elementBytes(const Op *access) {
  return byteWidth(access->operand(0)->type.scalar());
}

Op *anchorOf(const LayoutGroup &group) {
  Op *anchor = nullptr;
  for (Op *op : group.accesses)
    if (!anchor || elementBytes(op) > elementBytes(anchor)) anchor = op;
  return anchor;
}

int64_t vectorOf(const LayoutGroup &group, unsigned contiguous, const AxisAnalysis &analysis) {
  int64_t vector = 1, most = kMostAccessBytes;
  for (const Op *op : group.accesses) {
    const int64_t own = accessAlong(op, contiguous, analysis).vector;
    vector = std::max(vector, own);
    if (own > 1) most = std::min(most, kMostAccessBytes / elementBytes(op));
  }
  return std::min(vector, most);
}

bool wantsLanesSideBySide(const LayoutGroup &group, unsigned contiguous,
                          const AxisAnalysis &analysis) {
  auto isAtomic = [&](const Op *op) {
    return op->kind == OpKind::Atomic && accessAlong(op, contiguous, analysis).vector == 1;
  };
  return (!group.accesses.empty() && llvm::all_of(group.accesses, isAtomic)) ||
         llvm::any_of(group.accesses, [&](const Op *op) {
           return isAtomic(op) && analysis.of(op->operand(0)).contiguity[contiguous] > 1;
         });
}

}  // namespace tile2cu::passes
