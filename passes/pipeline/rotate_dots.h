// Starts the first dot of the next iteration before the last dot of this one, so that the code
// between the two dots runs while the tensor cores work (modulo scheduling with two stages). For
// loops such as that of attention:
//
//   for %k, %acc {                              %first = dot_shared
//     %s = dot_shared                           for %k, %flying, %s = %first, %previous = -1 {
//     %p = ... %s                                 %p = ... %s
//     %scaled = mul %acc, ...                     %acc = dot_wait %flying
//     %sum = dot_shared %scaled, a = %p    ==>    consumer_release %previous
//     yield %sum                                  %scaled = mul %acc, ...
//   }                                             %next = if %k + step < end { dot_shared {async} }
//                                                 %sum = dot_shared %scaled, a = %p {async}
//                                                 %ready = dot_wait %next
//                                                 yield %sum, %ready, %stage of %sum
//                                               }
//                                               dot_wait %flying
//
// The loop has two wgmmas. The first one reads only ring-buffer stages. The second one has its
// first operand in registers, computed from the first wgmma, and the loop carries its accumulator.
// If the loop may run zero times, the first dot before the loop is guarded by a branch.
//
// If the accumulator of the first dot is read before something slow (the exponentials after the
// tanh of a soft cap), the next first dot starts right after that read instead of just before the
// last dot. This is chosen if the special functions up to there take as long as the dot in flight,
// which is waited for in front of the new one, and if those after it take as long as the new dot.
// Operations that only row updates need do not count, because skip_updates lets most iterations
// skip them.
//
// The pass does nothing if a thread has too few registers for the accumulators of two iterations in
// addition to what the loop carries. Spilled accumulators, and wgmmas that ptxas then serializes,
// cost more than the overlap gains, because other blocks run while one waits.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult rotate_dots(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
