#include "passes/memory/mark_read_only.h"

#include "passes/analysis/memory/alias.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult mark_read_only(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels)
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Load && isReadOnly(kernel, op)) op->setBool(Attr::read_only, true);
    });
  return llvm::success();
}

}  // namespace tile2cu::passes
