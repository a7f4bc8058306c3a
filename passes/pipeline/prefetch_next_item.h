// Prefetches the first stages of the next item before the current item is done, in loops over items
// that ask for it (`flatten`). The epilogue of an item, above all its stores, then runs while the
// next operands are in flight.
//
//  for %item {                          phase 1 (%item) {       // the first copies of an item
//    %p = %item * ...                     %p = %item * ...
//    phase 0 (%stage, %k) { ... %p ... }  for %stage = 0 to STAGES - 1 {
//    for %stage { ... invoke 0 ... }        if ... { invoke 0 (%stage, ..., %p) }
//    for %k { ... invoke 0 ... }            async_commit
//    store ...                            }
//  }                            ==>     }
//                                       if %lower < %upper { invoke 1 (%lower) }
//                                       for %item {
//                                         %p = %item * ...
//                                         for %k { ... invoke 0 (..., %p) ... }
//                                         if %step < %upper - %item { invoke 1 (%item + %step) }
//                                         store ...
//                                       }
//
// The scalars of an item that the copies need are computed twice: once for the prefetch and once in
// the item. The pass does not read memory ahead that the kernel may write, and it does nothing if
// the stages do not fit into shared memory next to everything else. A wait counts groups from the
// newest backwards, so the groups of other loops in between can only make it wait longer. TMA loads
// are not concerned: their producer warp runs ahead over all items anyway.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult prefetch_next_item(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
