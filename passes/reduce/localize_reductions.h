// Moves the cross-thread part of a reduction out of a loop: it commutes with the accumulation in
// the loop.
//
//   for ... carried %acc {                          for ... carried %part {
//     %p = reduce_thread %t                           %p = reduce_thread %t
//     %s = reduce_across %p              ==>          %part2 = add %part, %p
//     %acc2 = add %acc, %s                            yield %part2
//     yield %acc2                                   }
//   }                                               %acc = add %init, reduce_across %part
//
// Without an iteration, a float from before the loop stays as it is: a select says so where NaN or
// -0 may be that value.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult localize_reductions(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
