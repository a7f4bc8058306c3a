// Starts the first product of a step before the last one of the step ahead of it, so that what is computed between the two runs
// while the tensor cores work (modulo scheduling with two stages). For loops like that of attention:
//
//   for %k, %acc {                                  %first = dot_shared
//     %s = dot_shared                               for %k, %flying, %s = %first, %previous = -1 {
//     %p = ... %s                                     %p = ... %s
//     %scaled = mul %acc, ...                         %acc = dot_wait %flying {pending = 0}
//     %sum = dot_shared %scaled, a = %p      ==>      ring_release %previous
//     yield %sum                                      %scaled = mul %acc, ...
//   }                                                 %next = if %k + step < end { dot_shared {async} }
//                                                     %sum = dot_shared %scaled, a = %p {async}
//                                                     %ready = dot_wait %next {pending = 1}
//                                                     yield %sum, %ready, %stage of %sum
//                                                   }
//                                                   dot_wait %flying {pending = 0}
//
// The loop has two products of warpgroups, the second with an operand in registers that comes from the first, and its sums are
// what the loop carries. Of a step the first has nothing but stages of rings. Where it is not known that the loop runs, the product
// before it stands behind that question.
//
// Where the sums of the first are read before something that takes long (the exponentials behind a soft cap's tanh), the next one
// starts there, not ahead of the last product only: if the special functions up to there take as long as the product in flight,
// which is waited for in front of it, and those behind take as long as the new one. What only updates of rows need does not count,
// as skip_updates lets most steps skip it.
//
// Where a thread has too few registers for the sums of two steps beside what the loop carries, nothing is moved: spilled sums, and
// products that ptxas serializes then, cost more than what would overlap, as other blocks work while one waits.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult rotate_dots(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
