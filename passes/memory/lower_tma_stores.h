// Brings what bulk copies store to shared memory first.
//
//   tensor_store %map, %tile, %column, %row     ==>     tensor_copy_wait                     if the tile has been there before
//                                                       shared_store %tile {buffer}
//                                                       tensor_copy_out %map, %column, %row {buffer}
//                                                       ...
//                                                       tensor_copy_wait                     at the end of the kernel
//
// A tile of which each warp has whole rows, as the sums of warpgroups lie, is copied out by each warp by itself: none waits for the
// others. The copy runs while the threads go on: shared memory has to last until it has read it.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult lower_tma_stores(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
