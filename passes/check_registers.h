// Whether the products of warpgroups find the registers that their instruction takes when the kernel starts: ptxas refuses them
// otherwise, however many setmaxnreg moves to the warps that compute. And whether a multiprocessor has the threads for as many
// blocks as are asked for.
//
//   kernel @narrow() warps 4 min_blocks 2, and a producer:  128 registers a thread
//     dot_shared ... group_columns 256                      128 sums and 26 more: an error
#pragma once
#include "passes/passes.h"

namespace tile2cu::passes {

// Threads of a block of this kernel: those that compute, of all programs that share it, and the warpgroup that copies where there is
// one.
int blockThreads(const ir::Kernel &kernel);

// Registers a thread that blocks of this kernel start with, when as many as its options say share a multiprocessor.
int launchedRegisters(const ir::Kernel &kernel);

// Registers of a thread that computes beside a copying warpgroup, when that has given its own back: all but 24, at most 240, in
// steps of 8.
int consumerRegisters(const ir::Kernel &kernel);

llvm::LogicalResult check_registers(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
