// Questions about loops, and surgery on loops and branches: dropping what they carry, inlining what runs exactly once.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// How often a `for` runs if its bounds and step are constants; an exit from the body is not considered.
std::optional<int64_t> tripCount(const ir::Op *loop);
// Whether a `for` counts up to a bound, as far as its comparison and a constant step say.
bool countsUp(const ir::Op *loop);
// Whether the start of the body (of a `while`: its first region) is executed for sure.
bool runsAtLeastOnce(const ir::Op *loop);

// All `for` loops in `block`, outer before inner.
std::vector<ir::Op *> forLoopsIn(ir::Block &block);
// The innermost loop whose body `block` is or stands in; null if there is none.
ir::Op *loopAround(const ir::Block *block);
// How many stages the operands of a loop's products have, as the loop says, or else the kernel.
int stagesOf(const ir::Op *loop, const ir::Kernel &kernel);

// Carries `value`, which a step of a `for` computes, to the next step, as the argument `previous` (`first` in the first step), and
// that of the last step to behind the loop, as the result `last`.
struct OneStepLater {
  ir::Value *previous, *last;
};
OneStepLater carryOneStep(ir::Op *loop, ir::Value *first, ir::Value *value,
                          const std::string &name);

// The `break` or `continue` ops (or both) that belong to `loop`.
llvm::SmallVector<ir::Op *, 2> exitsOf(ir::Op *loop, bool breaks, bool continues);
// Whether the loop or a step of it may end before its end: those, or a `return`.
bool isLeft(ir::Op *loop);

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
