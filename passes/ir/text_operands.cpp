#include "passes/ir/text_operands.h"

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::ir {

llvm::SmallVector<Value *, 4> textOperands(const Op *text) {
  llvm::SmallVector<Value *, 4> all(text->operands().begin(), text->operands().end());
  if (text->kind == OpKind::CudaEffect && all.size() > CudaEffectOp::mask_optIndex)
    all.erase(all.begin() + CudaEffectOp::mask_optIndex);
  return all;
}

bool mayWrite(const Op *text, unsigned operand) {
  return text->has(Attr::writes) &&
         llvm::is_contained(text->getInts(Attr::writes), int64_t{operand});
}

}  // namespace tile2cu::ir
