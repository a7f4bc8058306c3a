// Checks that wgmmas have the registers that they need when the kernel starts: otherwise ptxas
// rejects them, no matter how many registers setmaxnreg gives the consumer warpgroups later. Also
// checks that a multiprocessor has enough threads for the requested number of blocks.
//
//  kernel @narrow() warps 4 min_blocks 2, and a producer:  128 registers per thread
//    dot_shared ... group_columns 256                      128 for the accumulator and 26 more:
//                                                          an error
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult check_occupancy(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
