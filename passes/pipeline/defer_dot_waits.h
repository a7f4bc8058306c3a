// Keeps a loop's wgmmas in flight while the next iteration starts. With one wgmma per iteration:
//
//   for %k, %acc {                              for %k, %acc, %previous = -1 {
//     %stage = consumer_wait                      %stage = consumer_wait
//     %sum = dot_shared %acc, %stage    ==>       %sum = dot_shared %acc, %stage {async}
//     consumer_release %stage                     dot_wait %previous
//     yield %sum                                  consumer_release %previous
//   }                                             yield %sum, %stage
//                                               }
//                                               %done = dot_wait %acc
//                                               consumer_release %previous
//
// This applies to accumulators that the loop carries from one wgmma to the next and that nothing
// else reads. The tensor cores execute wgmmas in order, so the accumulator needs no wait inside the
// loop. Only the stage that a wgmma reads has to wait until that wgmma has completed, and it is
// released one iteration later. With n wgmmas per iteration, one wait after the last of them leaves
// n pending.
//
// It also applies to other wgmmas if something (scales, say) is loaded between the wgmma and the
// first use of its accumulator: the wait and the releases move to that use.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult defer_dot_waits(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
