// Surgery on loops and branches: dropping what they carry, inlining what runs exactly once.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Carries `value`, which a step of a `for` computes, to the next step, as the argument `previous` (`first` in the first step), and
// that of the last step to behind the loop, as the result `last`.
struct OneStepLater {
  ir::Value *previous, *last;
};
OneStepLater carryOneStep(ir::Op *loop, ir::Value *first, ir::Value *value,
                          const std::string &name);

// Drops carried value `i` of a `for`: operand, argument, result and what is handed on. Argument and result must be unused.
void eraseCarried(ir::Op *loop, unsigned i);
// Drops result `i` of an `if`, which must be unused.
void eraseBranchResult(ir::Op *branch, unsigned i);
// Drops what `condition` passes as value `i` of a `while`: the body's argument and the result must be unused.
void erasePassed(ir::Op *loop, unsigned i);
// Drops value `i` that the head of a `while` gets; its argument must be unused.
void eraseHeadArgument(ir::Op *loop, unsigned i);

// Moves the operations of `region` before `place`, its arguments replaced by `arguments`, and returns what its `yield`, which
// is deleted, handed over. Another terminator stays, as the last op moved.
llvm::SmallVector<ir::Value *, 4> inlineRegion(ir::Block &region, ir::Op *place,
                                               llvm::ArrayRef<ir::Value *> arguments);

}  // namespace tile2cu::passes
