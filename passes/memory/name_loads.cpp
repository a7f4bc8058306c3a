#include "passes/memory/name_loads.h"

#include "passes/analysis/memory/alias.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult name_loads(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels)
    walk(kernel.body, [&](Op *op) {
      if (op->kind != OpKind::Load) return;
      Value *result = op->result();
      if (!result->name.empty() || !result->type.isTile()) return;
      Op *user = result->users.size() == 1 ? result->users.front() : nullptr;
      if (user && user->kind == OpKind::Cast && !user->result()->name.empty()) {
        result->name = user->result()->name + "_" +
                       (isHalf(result->type.scalar()) ? "half" : name(result->type.scalar()).str());
      } else if (auto base = basePointer(op->operand(0))) {
        result->name = kernel.parameters[*base].identifier() + "_tile";
      } else if (const auto table = tableOf(op->operand(0))) {
        result->name = table.symbol() + "_tile";
      }
    });
  return llvm::success();
}

}  // namespace tile2cu::passes
