// Puts tiles that TMA loads into ring buffers, and moves the loads to a producer warp (warp
// specialization).
//
//  for %k {                          for %k {                       producer {
//    %x = tensor_load %map, %k         %stage = consumer_wait         for %k {
//    shared_store %x           ==>     dot_shared %acc, %stage          %stage = producer_acquire
//    dot_shared %acc                   consumer_release %stage          tma_load %map, %stage
//  }                                 }                                }
//                                                                   }
//
// The tiles that one dot reads share one ring buffer. A ring for a tile that is loaded in a loop
// has num_stages stages. A ring that only inner loops read has two. An operand that threads compute
// from a stage in the iteration of its dot has as many stages as that ring, if there is room: a
// stage is reused only after all warps have released it, after the dot that read both.
//
// Kernel::producer is the part of the body that the copies depend on: the loops and branches around
// them, and the scalars in those. Producer and consumers go through the same stages in the same
// order, so they need no other communication.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult specialize_warps(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
