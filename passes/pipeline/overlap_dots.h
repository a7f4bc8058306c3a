// Keeps the tensor cores busy over a step with several products of warpgroups (attention's gradients): products that need nothing
// of the step but its stages start together, sums are waited for where threads first read them, and sums that the loop only
// carries stay in flight until the first wait of the next step.
//
//   for %k, %acc {                                  for %k, %acc, %previous = -1 {
//     %s = dot_shared %stage                          %s = dot_shared %stage {async}
//     %p = ... %s                                     %d = dot_shared %stage {async}
//     %d = dot_shared %stage                ==>       %s.1 = dot_wait %s {pending = 1}
//     %x = mul %p, %d                                 ring_release %previous
//     %sum = dot_shared %acc, %stage, a = %x          %p = ... %s.1
//     ring_release %stage                             %d.1 = dot_wait %d {pending = 0}
//     yield %sum                                      %x = mul %p, %d.1
//   }                                                 %sum = dot_shared %acc, %stage, a = %x {async}
//                                                     yield %sum, %stage
//                                                   }
//                                                   %done = dot_wait %acc {pending = 0}
//                                                   ring_release %previous
//
// Products end in the order in which they start: a wait for one is a wait for all before it. Where the launcher does not know that
// the loop runs, each step waits for its own products at its end: the compiler moves sums in flight around behind such a loop.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult overlap_dots(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
