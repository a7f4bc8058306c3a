#include "passes/target/occupancy.h"

#include <algorithm>

namespace tile2cu::passes {
using namespace ir;

static constexpr int kRegisterFile = 65536, kMostRegisters = 255;

int blockThreads(const Kernel &kernel) {
  const int warps = kernel.packed() ? kernel.programsPerBlock : kernel.options.numWarps;
  return 32 * warps + (kernel.producer ? kWarpgroupThreads : 0);
}

int blocksAtATime(const Kernel &kernel) {
  if (kernel.options.minBlocks) return kernel.options.minBlocks;
  if (kernel.producer || !kernel.options.residentThreads) return 1;
  return std::clamp(kernel.options.residentThreads / blockThreads(kernel), 1, 16);
}

int launchedRegisters(const Kernel &kernel) {
  const int share = kRegisterFile / (blockThreads(kernel) * blocksAtATime(kernel));
  return std::min(share / 8 * 8, kMostRegisters);
}

int consumerRegisters(const Kernel &kernel) {
  constexpr int kProducer = 24, kMost = 240;
  const int groups = kernel.options.numWarps / 4;
  return std::min((launchedRegisters(kernel) * (groups + 1) - kProducer) / groups / 8 * 8, kMost);
}

}  // namespace tile2cu::passes
