// Gives every tile a layout and inserts `convert` where two disagree.
//
//   %x = load %p : tile<1024xf32>
//     ==>
//   %x = load %p : tile<1024xf32, #<4 warps, [2, 4], 1024 = r1*4 lane*32 warp*4 r0*2>>
//
//  1. Rematerializable operations (index arithmetic, masks, pointers: rematerializable.h) are
//     copied for each use, so that each copy takes the layout of its user.
//  2. Values that must share a layout (element-wise operands and results, an access's pointer, mask
//     and value, carried values) form groups.
//  3. A group with global accesses gets a layout for them: vectors as wide as its widest access
//     allows, but at most 16 bytes of its largest elements, along the dimension in which addresses
//     are contiguous, then lanes, then warps. In a group with a scan, the warps are slowest along
//     the scanned dimension. The largest groups choose first. A group that is connected to one that
//     has chosen (by a reduction, expand_dims, broadcast, permute, reshape) takes over its layout
//     if it can.
//  4. Where an operation needs another layout than its operand has, a `convert` is inserted.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult assign_layouts(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
