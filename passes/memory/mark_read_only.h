// Marks loads of data that the kernel never writes: they may use the read-only path (ld.global.nc),
// and other accesses need no order with them.
//
//  %x = load %p     with %a: ptr<const f32> restrict    ==>    %x = load %p {read_only = true}
//
// Marks parameters through which the kernel reads and writes. The emitted kernel does not declare
// them __restrict__: its threads exchange data there, which the C++ of one thread does not show.
//
//  %a: ptr<f32> restrict    ==>    %a: ptr<f32> restrict read_and_written
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult mark_read_only(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
