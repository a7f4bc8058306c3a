// Gives shared buffers their names and places: buffers that are never alive together share a slot (a union in struct Smem). Large
// ones choose first, so that a slot takes no more than its largest buffer, or what others of it take behind each other: operands
// of a product may stand where its sums are stored from later.
//
// Small buffers (the warps' partial results) keep places of their own: sharing them would cost a barrier and save bytes that nobody
// misses. Reports a located error when the total exceeds what the architecture has.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult allocate_shared(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
