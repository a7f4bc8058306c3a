// Lowers layout conversions, and shape operations that are not views, to data movement between
// threads.
//
// If every element stays in its warp (warp_shuffle.h), and the shuffles are no more than the
// accesses to shared memory that they replace, the operation itself stays and is marked: no shared
// memory, no barrier.
//
//   %y = convert %x : tile<16xf32, #b>   ==>   %y = convert %x {exchange = shuffle} : tile<...>
//
// The mark is `exchange = registers` if elements do not even change threads. All other operations
// become a store to shared memory and a load from it. Element (c0, c1, ...) is at offset + sum of
// ci * strides[i], so that one pair of operations expresses conversion, permute, reshape, flip,
// slice, cat, join and interleave, and their inverses. gather is such a pair too, and scatter two
// stores and a load: their indices are the coordinates along the axis. extract stores the tile, and
// loads from the starts of its part on; insert stores the part, and loads it where it goes.
//
//   %y = convert %x : tile<64x64xf32, #b>
//     ==>
//   shared_store %x {buffer = 0, offset = 0, strides = [64, 1]}
//   %y = shared_load {buffer = 0, offset = 0, strides = [64, 1]}
//
// insert_barriers adds the barrier between them.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult lower_layout_conversions(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
