// Gives what bulk copies bring rings of stages, and the copies to a warp of their own (warp specialization).
//
//   for %k {                                    for %k {                                       producer {
//     %x = tensor_load %x_map, %row, %k           %stage = ring_take {ring 0}                    for %k {
//     shared_store %x                     ==>     dot_shared %acc, %stage                          %stage = ring_fill {ring 0}
//     dot_shared %acc                             ring_release %stage {ring 0}                     tensor_copy %x_map, %stage, %row, %k
//   }                                           }                                                }
//                                                                                              }
//
// What the same product reads is one ring. A tile that is loaded in a loop has num_stages stages; one that only inner loops read,
// two. An operand that threads compute from a stage in the step of its product has as many stages as that ring, if there is room:
// a stage comes again when all warps have given it back, behind the product that read both. Kernel::producer is the part of the body that the copies rest on: the loops and branches around them and the scalars in
// those. Both go through the same stages in the same order, and so need nothing else from each other.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult specialize_warps(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
