#include "passes/memory/infer_atomic_order.h"

#include "passes/analysis/memory/atomic_order.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult infer_atomic_order(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels)
    for (const auto &[atomic, order] : ordersOf(kernel))
      if (order != MemoryOrder::Relaxed) atomic->set(Attr::fences, order);
  return llvm::success();
}

}  // namespace tile2cu::passes
