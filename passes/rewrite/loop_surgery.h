// Rewrites of loops and branches: dropping values that they carry, inlining regions that run
// exactly once.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Carries `value`, which an iteration of a `for` computes, to the next iteration as the argument
// `previous` (`first` in the first iteration). The value of the last iteration is the loop's result
// `last`.
struct OneStepLater {
  ir::Value *previous, *last;
};
OneStepLater carryOneStep(ir::Op *loop, ir::Value *first, ir::Value *value,
                          const std::string &name);

// Drops carried value `i` of a `for`: its operand, argument, result and yielded value. Argument and
// result must be unused.
void eraseCarried(ir::Op *loop, unsigned i);
// Drops result `i` of an `if`, which must be unused.
void eraseBranchResult(ir::Op *branch, unsigned i);
// Drops the value `i` that `condition` of a `while` passes on: the body's argument and the result
// must be unused.
void erasePassed(ir::Op *loop, unsigned i);
// Drops initial value `i` of a `while`; its argument must be unused.
void eraseHeadArgument(ir::Op *loop, unsigned i);

// Moves the operations of `region` before `point` and replaces its arguments by `arguments`.
// Deletes its `yield` and returns the yielded values. Another terminator stays, as the last
// operation moved.
llvm::SmallVector<ir::Value *, 4> inlineRegion(ir::Block &region, ir::Op *point,
                                               llvm::ArrayRef<ir::Value *> arguments);

}  // namespace tile2cu::passes
