// Questions about loops: how often they run, how they count, how they end.
#pragma once
#include <optional>
#include <vector>

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

// The `break` or `continue` ops (or both) that belong to `loop`.
llvm::SmallVector<ir::Op *, 2> exitsOf(ir::Op *loop, bool breaks, bool continues);
// Whether the loop or a step of it may end before its end: those, or a `return`.
bool isLeft(ir::Op *loop);

}  // namespace tile2cu::passes
