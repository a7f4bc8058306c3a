#include "machine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "builtins.h"

namespace emulate {

constinit thread_local Machine* Machine::active = nullptr;

Machine& runningMachine() {
  if (Machine::active == nullptr) {
    std::fprintf(stderr, "tile2cu emulator: a device function was called outside a launch\n");
    std::abort();
  }
  return *Machine::active;
}

void Machine::beginLaunch(const launch_shape& shape, void (*body)(void*), void* argument) {
  context.beginLaunch(shape);
  scheduler.beginLaunch(body, argument);
  memory.beginLaunch();
}

void Machine::beginBlock(std::uint64_t linear, unsigned rank) {
  setBlockIndex(linear);
  std::memset(shared_begin, 0xff, context.sharedBytes());
  memory.beginBlock();
  async_copies.beginBlock();
  mbarriers.beginBlock();
  barriers.beginBlock();
  tma.beginBlock();
  warpgroups.beginBlock();
  cluster.beginBlock(rank);
  warps.beginBlock();
  scheduler.beginBlock();
}

void Machine::endBlock() {
  if (context.error() == cudaSuccess) scheduler.endBlock();
  if (context.error() != cudaSuccess) return;
  tma.endBlock();
  warpgroups.endBlock();
}

}  // namespace emulate
