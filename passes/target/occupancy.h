// The threads and registers of the blocks of a kernel (CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability": 65,536 registers a multiprocessor, 255 a thread).
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

constexpr int kWarpgroupThreads = 128;

// Threads of a block of this kernel: those that compute, of all programs that share it, and the warpgroup that copies where there is
// one.
int blockThreads(const ir::Kernel &kernel);

// Registers a thread that blocks of this kernel start with, when as many as its options say share a multiprocessor.
int launchedRegisters(const ir::Kernel &kernel);

// Registers of a thread that computes beside a copying warpgroup, when that has given its own back: all but 24, at most 240, in
// steps of 8.
int consumerRegisters(const ir::Kernel &kernel);

// Blocks that share a multiprocessor, as far as the kernel's options say.
int blocksAtATime(const ir::Kernel &kernel);

}  // namespace tile2cu::passes
