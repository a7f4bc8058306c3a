// Whether the products of warpgroups find the registers that their instruction takes when the kernel starts: ptxas refuses them
// otherwise, however many setmaxnreg moves to the warps that compute. And whether a multiprocessor has the threads for as many
// blocks as are asked for.
//
//   kernel @narrow() warps 4 min_blocks 2, and a producer:  128 registers a thread
//     dot_shared ... group_columns 256                      128 sums and 26 more: an error
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult check_occupancy(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
