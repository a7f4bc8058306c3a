// Stages, in shared memory, the loads that a loop's dot operands are computed from.
#pragma once
#include <vector>

#include "passes/ir/module.h"
#include "passes/pass_context.h"

namespace tile2cu::passes {

// An operand that is computed from loads waits for them in each iteration, or, if its whole
// computation is prefetched, in the iteration that prefetches it. This rewrite stores the loaded
// tile to shared memory instead, and each thread reads its own elements back:
//
//  %q = load ...                         %l = load ...
//  shared_store (cast %q) {buffer = 1}   shared_store %l {buffer = 2}
//                                        %q = shared_load {buffer = 2}
//                                        shared_store (cast %q) {buffer = 1}
//
// so that the loads, of 4, 8 or 16 bytes, can become asynchronous copies like those of any operand.
// In `stores`, which belong to `loop`, replaces the stores of such operands by the stores of the
// loaded tiles, as far as shared memory has room for `stages` stages of them.
void stageLoads(ir::Kernel &kernel, PassContext &context, ir::Op *loop,
                std::vector<ir::Op *> &stores, int stages);

}  // namespace tile2cu::passes
