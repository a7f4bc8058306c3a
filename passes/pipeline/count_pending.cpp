#include "passes/pipeline/count_pending.h"

#include "passes/ir/verify/copies_in_flight.h"
#include "passes/ir/verify/dots_in_flight.h"
#include "passes/ir/verify/verify.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult count_pending(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    const auto dots = pendingDots(kernel), copies = pendingCopies(kernel);
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::DotWait) op->setInt(Attr::pending, dots.lookup(op));
      if (op->kind == OpKind::AsyncWait) op->setInt(Attr::pending, copies.lookup(op));
    });
    verifyAsync(kernel);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
