// Prefetches the first stages of the next item before the current item is done, in loops over items
// that ask for it (`flatten`). The epilogue of an item, above all its stores, then runs while the
// next operands are in flight.
//
//  for %item {                          local_function 1 (%item) {   // the first copies of an item
//    %p = %item * ...                     %p = %item * ...
//    local_function 0 (%stage, %k) {      for %stage = 0 to STAGES - 1 {
//      ... %p ...                           if ... { call 0 (%stage, ..., %p) }
//    }                                      async_commit
//    for %stage { ... call 0 ... }        }
//    for %k { ... call 0 ... }          }
//    store ...
//  }                            ==>
//                                       if %lower < %upper { call 1 (%lower) }
//                                       for %item {
//                                         %p = %item * ...
//                                         for %k { ... call 0 (..., %p) ... }
//                                         if %step < %upper - %item { call 1 (%item + %step) }
//                                         store ...
//                                       }
//
// The scalars of an item that the copies need are computed twice: once for the prefetch and once in
// the item. The pass does not read memory ahead that the kernel may write, and it does nothing if
// the stages do not fit into shared memory next to everything else. TMA loads
// are not concerned: their producer warp runs ahead over all items anyway.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult prefetch_next_item(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
