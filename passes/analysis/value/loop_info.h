// Properties of loops: how often they run, how they count, how they end.
#pragma once
#include <optional>
#include <vector>

#include "passes/ir/module.h"

namespace tile2cu::passes {

// The trip count of a `for` if its bounds and step are constants; exits from the body are not
// considered.
std::optional<int64_t> tripCount(const ir::Op *loop);
// Whether the comparison and a constant step show that a `for` counts up to a bound.
bool countsUp(const ir::Op *loop);
// Whether they show that it counts down to a bound.
bool countsDown(const ir::Op *loop);
// Whether the start of the body (of a `while`: its first region) is executed at least once.
bool runsAtLeastOnce(const ir::Op *loop);

// All `for` loops in `block`, outer before inner.
std::vector<ir::Op *> forLoopsIn(ir::Block &block);
// The innermost loop that `block` is in, or is the body of; null if there is none.
ir::Op *loopAround(const ir::Block *block);
// The number of stages of the dot operands of a loop: the loop's own option, or else that of the
// kernel.
int stagesOf(const ir::Op *loop, const ir::Kernel &kernel);

// The `break` or `continue` ops (or both) that belong to `loop`.
llvm::SmallVector<ir::Op *, 2> exitsOf(ir::Op *loop, bool breaks, bool continues);
// Whether the loop or an iteration of it may end early: by one of those, or by a `return`.
bool isLeft(ir::Op *loop);

}  // namespace tile2cu::passes
