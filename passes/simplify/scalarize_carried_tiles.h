// Lets a loop carry a scalar instead of a tile of which every element moves by the same amount:
//
//   for %p = %start : tile of ptr {                 for %base = %first : ptr {
//     load %p                               ==>       %p = addptr splat(%base), %offsets
//     %next = addptr %p, splat(%step)                 load %p
//     yield %next                                     %next = addptr %base, %step
//   }                                                 yield %next
//                                                   }
//
// A tile of pointers carries the pointer at its root, a tile of indices what has been added to it. The tile itself is
// computed where it is used (rematerializable.h), so that a loop keeps one pointer instead of one for each of a thread's accesses, and
// a copy that runs ahead of the loop (pipeline_copies) has scalars to advance.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult scalarize_carried_tiles(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
