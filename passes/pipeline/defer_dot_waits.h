// Keeps a warpgroup's products in flight while the next step of their loop begins; of one here.
//
//   for %k, %acc {                              for %k, %acc, %previous = -1 {
//     %stage = ring_take                          %stage = ring_take
//     %sum = dot_shared %acc, %stage    ==>       %sum = dot_shared %acc, %stage {async}
//     ring_release %stage                         dot_wait {pending = 1}
//     yield %sum                                  ring_release %previous
//   }                                             yield %sum, %stage
//                                               }
//                                               %done = dot_wait %acc {pending = 0}
//                                               ring_release %previous
//
// For sums that the loop carries from one product to the next and nobody else looks at: the tensor cores add in order, so that
// only what was read, its stage, has to wait for the end of a product, and by one step more. With n products in a step one wait
// behind the last of them leaves n pending.
//
// And of other products, behind which something is loaded before the first use of their sums (scales, say): the wait and the
// releases stand at that use.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult defer_dot_waits(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
