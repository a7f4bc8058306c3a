#include "passes/analysis/value/cluster.h"

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::passes {
using namespace ir;

llvm::SmallVector<const Value *, 4> evenCounts(const Kernel &kernel) {
  llvm::SmallVector<const Value *, 4> counts;
  for (const Block *part : {&kernel.body, static_cast<const Block *>(kernel.producer.get())})
    if (part)
      for (const auto &op : part->ops)
        if (op->kind == OpKind::Cluster)
          counts.append(op->operands().begin(), op->operands().end());
  return counts;
}

bool formsClusters(const Kernel &kernel) {
  return llvm::any_of(kernel.body.ops, [](const auto &op) { return op->kind == OpKind::Cluster; });
}

}  // namespace tile2cu::passes
