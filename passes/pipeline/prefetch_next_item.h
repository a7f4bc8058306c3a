// Starts the copies of the next item's first steps before the item is done, in loops over items that ask for it (`flatten`): what
// comes behind an item's products, its stores above all, then runs while the next operands are on their way.
//
//   for %item {                               phase 1 (%item) {             // the first copies of an item
//     %p = %item * ...                          %p = %item * ...
//     phase 0 (%stage, %k) { ... %p ... }       for %stage = 0 to STAGES - 1 { if ... { invoke 0 (%stage, ..., %p) } async_commit }
//     for %stage { ... invoke 0 ... }         }
//     for %k { ... invoke 0 ... }      ==>    if %lower < %upper { invoke 1 (%lower) }
//     store ...                               for %item {
//   }                                           %p = %item * ...
//                                               for %k { ... invoke 0 (..., %p) ... }
//                                               if %step < %upper - %item { invoke 1 (%item + %step) }
//                                               store ...
//                                             }
//
// The item's own numbers that the copies need are computed twice, once ahead. Memory that the kernel may write is not read
// ahead, and nothing moves where the stages cannot stay in shared memory beside all else. Waits count copies from the latest
// backwards, so that those of other loops in between make none of them come too late. Bulk copies have their own warp, which runs
// ahead over all items anyway.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult prefetch_next_item(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
