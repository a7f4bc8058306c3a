// Lets several programs of one warp share a thread block, so that small programs fill a multiprocessor: as many as make about 1024
// elements of the largest tile, at most 4, or what the options say. Also marks loads of data that the kernel never writes.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult pack_programs(ir::Module &module, PassContext &context);
llvm::LogicalResult mark_read_only(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
