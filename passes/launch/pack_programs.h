// Lets several programs of one warp share a thread block, so that small programs fill a
// multiprocessor: as many as hold about 1024 elements of the largest tile, at most 4, or as many as
// the options say.
//
//   kernel @small() warps 1 { %x : tile<64xf32> }     ==>     kernel @small() warps 1 packed 4
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult pack_programs(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
