// Keeps the tensor cores busy in an iteration with several wgmmas (the gradients of attention).
// wgmmas that need only stages start together. The wait for an accumulator moves to its first use
// by threads. Accumulators that the loop only carries stay in flight until the first wait of the
// next iteration.
//
//   for %k, %acc {                                for %k, %acc, %previous = -1 {
//     %s = dot_shared %stage                        %s = dot_shared %stage {async}
//     %p = ... %s                                   %d = dot_shared %stage {async}
//     %d = dot_shared %stage              ==>       %s.1 = dot_wait %s
//     %x = mul %p, %d                               consumer_release %previous
//     %sum = dot_shared %acc, %stage, a = %x        %p = ... %s.1
//     consumer_release %stage                       %d.1 = dot_wait %d
//     yield %sum                                    %x = mul %p, %d.1
//   }                                               %sum = dot_shared %acc, %stage, a = %x {async}
//                                                   yield %sum, %stage
//                                                 }
//                                                 %done = dot_wait %acc
//                                                 consumer_release %previous
//
// wgmmas complete in the order in which they start, so a wait for one is a wait for all before it.
// If the launcher does not know that the loop runs at least once, each iteration waits for its own
// wgmmas at its end, because ptxas copies accumulators in flight after such a loop.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult overlap_dots(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
