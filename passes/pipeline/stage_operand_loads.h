// Loads from which the operands of a loop's products are computed, by way of shared memory.
#pragma once
#include <vector>

#include "passes/ir/module.h"
#include "passes/pass_context.h"

namespace tile2cu::passes {

// An operand that is computed from loads waits for them in each step, or, if all of it runs ahead, at the step that does. What
// is loaded goes to a shared tile instead, from which each thread reads back what is its own:
//
//   %q = load ...                          %l = load ...;  shared_store %l {buffer = 2};  %q = shared_load {buffer = 2}
//   shared_store (cast %q) {buffer = 1}    shared_store (cast %q) {buffer = 1}
//
// so that the loads, of 4, 8 or 16 bytes, can be asynchronous copies like those of any operand. Replaces the stores of such
// operands in `stores`, of `loop`, by those of what they are computed from; as far as there is room for `stages` of them.
void stageLoads(ir::Kernel &kernel, PassContext &context, ir::Op *loop,
                std::vector<ir::Op *> &stores, int stages);

}  // namespace tile2cu::passes
