// The threads and registers of the blocks of a kernel (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability": 65,536 registers per multiprocessor, 255 per thread).
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

constexpr int kWarpgroupThreads = 128;

// Threads of a block of this kernel: the consumers of all programs that share it, and the producer
// warpgroup if there is one.
int blockThreads(const ir::Kernel &kernel);

// Registers per thread at the start of the kernel, if as many blocks share a multiprocessor as its
// options say; with `fewerWarps`, if a block had so many warps less.
int launchedRegisters(const ir::Kernel &kernel, int fewerWarps = 0);

// Registers of a consumer thread after the producer warpgroup has released its own: all but 24, at
// most 240, in steps of 8.
int consumerRegisters(const ir::Kernel &kernel);

// Blocks that share a multiprocessor, as far as the kernel's options say.
int blocksAtATime(const ir::Kernel &kernel);

}  // namespace tile2cu::passes
