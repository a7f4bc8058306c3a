#include "passes/memory/infer_atomic_order.h"

#include "passes/analysis/memory/atomic_order.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult infer_atomic_order(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels)
    for (const auto &[atomic, order] : ordersOf(kernel))
      if (!order.empty()) atomic->setString(Attr::fences, order.str());
  return llvm::success();
}

}  // namespace tile2cu::passes
