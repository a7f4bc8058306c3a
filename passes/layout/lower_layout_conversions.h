// Moves data between threads: conversions of layout, and shape operations that no view can express.
//
// Where every element stays in its warp (warp_shuffle.h) and the shuffles are no more than the accesses to shared memory that they
// replace, the operation stays as it is and says how: no shared memory, no barrier.
//
//   %y = convert %x : tile<16xf32, #b>       ==>    %y = convert %x {via = shuffle} : tile<16xf32, #b>
//
// `via = registers` where elements do not even change threads. All else becomes a store to shared memory and a load from it.
// Element (c0, c1, ...) lives at offset + sum of ci * strides[i], so that one pair of operations
// says conversion, permute, reshape, flip, slice, cat, join, interleave, their inverses.
//
//   %y = convert %x : tile<64x64xf32, #b>    ==>    shared_store %x {buffer = 0, offset = 0, strides = [64, 1]}
//                                                   %y = shared_load {buffer = 0, offset = 0, strides = [64, 1]}
// The barrier between them comes with insert_barriers.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult lower_layout_conversions(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
