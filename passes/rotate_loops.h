// Starts a step's first product beside the last one of the step before, so that what is computed between the two runs while the
// tensor cores work (modulo scheduling with two stages). For loops like that of attention:
//
//   for %k, %acc {                                  (the first step up to its last product)
//     %s = dot_shared                               for %k from the second step, %scaled, %p {
//     %p = ... %s                                     %s' = dot_shared {async}
//     %scaled = mul %acc, ...                         %sum = dot_shared %scaled, a = %p {async}     of the step before
//     %sum = dot_shared %scaled, a = %p      ==>      %s = dot_wait %s' {pending = 1}
//     yield %sum                                      %p' = ... %s
//   }                                                 %acc = dot_wait %sum {pending = 0}
//                                                     %scaled' = mul %acc, ...
//                                                     yield %scaled', %p'
//                                                   }
//                                                   %sum = dot_shared %scaled, a = %p               of the last step
//
// The loop has two products of warpgroups, the second with an operand in registers that comes from the first, and its sums are
// what the loop carries. The launcher must know that it runs at least once.
#pragma once
#include "passes/passes.h"

namespace tile2cu::passes {

llvm::LogicalResult rotate_loops(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
