// Marks loads of data that the kernel never writes: they may use the read-only path (ld.global.nc),
// and other accesses need no order with them.
//
//  %x = load %p     with %a: ptr<const f32> restrict    ==>    %x = load %p {read_only = true}
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult mark_read_only(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
