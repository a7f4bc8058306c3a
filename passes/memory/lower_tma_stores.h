// Stores tiles to shared memory first if TMA is to store them to global memory.
//
//  tensor_store %map, %tile, %column, %row    ==>    tma_store_wait      if the buffer is in use
//                                                    shared_store %tile {buffer}
//                                                    tma_store %map, %column, %row {buffer}
//                                                    ...
//                                                    tma_store_wait      at the end of the kernel
//
// If each warp holds whole rows of the tile, as it does of wgmma accumulators, each warp stores its
// own rows by TMA and does not wait for the other warps. The copy runs while the threads go on, so
// the shared tile must not be overwritten until the copy has read it.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult lower_tma_stores(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
