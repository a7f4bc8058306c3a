#include "passes/pipeline/count_pending.h"

#include "passes/ir/verify/dots_in_flight.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult count_pending(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    const auto pending = pendingDots(kernel);
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::DotWait) op->setInt(Attr::pending, pending.lookup(op));
    });
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
