#include "passes/target/occupancy.h"

#include <algorithm>

#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
static constexpr int kRegisterFile = 65536, kMostRegisters = 255;
// The minimum that a warpgroup may keep (PTX ISA, setmaxnreg: 24 to 256 in steps of 8).
static constexpr int kProducerRegisters = 24;

// The most blocks for which registers are kept: resident_blocks of the device helpers. Every
// architecture allows so many.
static constexpr int kMostBlocksKept = 16;

int blockThreads(const Kernel &kernel) {
  const int warps = kernel.packed() ? kernel.programsPerBlock : kernel.options.numWarps;
  return 32 * warps + (kernel.producer ? kWarpgroupThreads : 0);
}

// Blocks of so many threads.
static int blocksAtATime(const Kernel &kernel, int threads) {
  if (kernel.options.minBlocks) return kernel.options.minBlocks;
  if (kernel.producer || !kernel.options.residentThreads) return 1;
  return std::clamp(kernel.options.residentThreads / threads, 1, kMostBlocksKept);
}

int blocksAtATime(const Kernel &kernel) { return blocksAtATime(kernel, blockThreads(kernel)); }

int launchedRegisters(const Kernel &kernel, int fewerWarps) {
  const int threads = blockThreads(kernel) - 32 * fewerWarps;
  const int share = kRegisterFile / (threads * blocksAtATime(kernel, threads));
  return std::min(share / 8 * 8, kMostRegisters);
}

int consumerRegisters(const Kernel &kernel) {
  const int groups = kernel.options.numWarps / 4;
  const int left = launchedRegisters(kernel) * (groups + 1) - kProducerRegisters;
  return std::min<int>(left / groups / 8 * 8, tunables().consumer_registers);
}

}  // namespace tile2cu::passes
