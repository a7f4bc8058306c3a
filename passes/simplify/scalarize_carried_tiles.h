// Induction-variable scalarization: a loop carries a scalar instead of a tile whose elements all
// advance by the same amount:
//
//   for %p = %start : tile of ptr {                 for %base = %first : ptr {
//     load %p                               ==>       %p = addptr splat(%base), %offsets
//     %next = addptr %p, splat(%step)                 load %p
//     yield %next                                     %next = addptr %base, %step
//   }                                                 yield %next
//                                                   }
//
// For a tile of pointers the loop carries the pointer at its root, for a tile of indices the sum of
// the increments. The tile itself is computed where it is used (rematerializable.h). A loop then
// keeps one pointer instead of one for each access of a thread, and a prefetched copy
// (pipeline_copies) has scalars to advance.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult scalarize_carried_tiles(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
