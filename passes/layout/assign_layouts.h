// Gives every tile a layout and inserts `convert` where two disagree.
//
// 1. Cheap trees (index arithmetic, masks, pointers: rematerializable.h) are copied for each use, so that they follow whoever uses them.
// 2. Values that must share a layout (element-wise operands and results, an access's pointer, mask and value, carried
//    values) form groups.
// 3. A group with global accesses is spread for them: the vector as wide as its widest access allows, on the dimension
//    where addresses are contiguous, then lanes, then warps. A group that is scanned has its warps slowest along the scan. The
//    largest groups choose first; a group related to one that has chosen (by a reduction, expand_dims,
//    broadcast, permute, reshape) follows it if it can.
// 4. Where an operation still wants another layout than its operand has, a `convert` is inserted.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult assign_layouts(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
