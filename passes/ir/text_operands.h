// The operands of the operations whose code is a text of the user: device_call and cuda_effect.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "passes/ir/op.h"

namespace tile2cu::ir {

// In the order of their names in the attribute `parameters`.
llvm::SmallVector<Value *, 4> textOperands(const Op *text);
// Whether the text may write through this one of them.
bool mayWrite(const Op *text, unsigned operand);

}  // namespace tile2cu::ir
