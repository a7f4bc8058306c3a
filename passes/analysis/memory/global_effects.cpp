#include "passes/analysis/memory/global_effects.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/text_operands.h"

namespace tile2cu::passes {
using namespace ir;

llvm::SmallVector<GlobalEffect, 2> globalEffects(const Op *op) {
  // An atomic load changes nothing.
  if (op->is(GlobalAccess))
    return {{op->operand(0), op->is(Reads),
             op->is(Writes) && op->get(Attr::update) != AtomicUpdate::Load, true}};
  llvm::SmallVector<GlobalEffect, 2> effects;
  if (op->kind != OpKind::CudaEffect) return effects;
  for (const auto [i, operand] : llvm::enumerate(textOperands(op)))
    if (operand->type.isPointer()) effects.push_back({operand, true, mayWrite(op, i), false});
  return effects;
}

bool accessesGlobal(const Op *op) {
  return op->is(GlobalAccess) || (op->kind == OpKind::CudaEffect && !globalEffects(op).empty());
}

bool writesGlobal(const Op *op) {
  if (!op->is(GlobalAccess) && op->kind != OpKind::CudaEffect) return false;
  return llvm::any_of(globalEffects(op), [](const GlobalEffect &effect) { return effect.writes; });
}

bool isOrderedWithAll(const Op *op) { return op->kind == OpKind::CudaEffect && writesGlobal(op); }

}  // namespace tile2cu::passes
