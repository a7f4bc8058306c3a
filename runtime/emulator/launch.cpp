// Launches: the blocks of a grid run one after another, the two blocks of a cluster in turns.
#include "tile2cu/emulator/launch.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include "builtins.h"
#include "fault_guard.h"
#include "findings.h"
#include "machine.h"
#include "runtime_state.h"

namespace emulate {

namespace {

cudaError_t validate(const launch_shape& shape) {
  const dim3 grid = shape.grid, block = shape.block;
  const auto threads = std::uint64_t{block.x} * block.y * block.z;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0)
    return cudaErrorInvalidConfiguration;
  if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) return cudaErrorInvalidConfiguration;
  if (block.x > MAX_THREADS || block.y > MAX_THREADS || block.z > 64) {
    return cudaErrorInvalidConfiguration;
  }
  if (threads > MAX_THREADS) return cudaErrorInvalidConfiguration;
  if (shape.smem_bytes > smemLimitOf(shape.kernel)) return cudaErrorInvalidValue;
  if (shape.cluster < 1 || shape.cluster > 2 || grid.x % shape.cluster != 0)
    return cudaErrorInvalidConfiguration;
  return cudaSuccess;
}

// Two machines, of which a launch without clusters uses the first.
class Launcher {
 public:
  Launcher() {
    machines_[0].cluster.setPartner(machines_[1].cluster);
    machines_[1].cluster.setPartner(machines_[0].cluster);
  }
  cudaError_t run(const launch_shape& shape, void (*body)(void*), void* argument);

 private:
  // The state of a block of a cluster while the other one runs.
  struct Resident {
    std::uint64_t linear = 0;
    std::vector<unsigned char> shared;
  };

  void runGrid(const launch_shape& shape);
  void runBlock(std::uint64_t linear);
  void runCluster(std::uint64_t first);
  void takeTurn(unsigned rank);
  void swapIn(unsigned rank);
  void swapOut(unsigned rank);
  void noteError(unsigned rank) {
    if (const cudaError_t error = machines_[rank].context.error(); error != cudaSuccess)
      error_ = error;
  }

  Machine machines_[2];
  Resident residents_[2];
  cudaError_t error_ = cudaSuccess;
};

cudaError_t Launcher::run(const launch_shape& shape, void (*body)(void*), void* argument) {
  if (const cudaError_t error = validate(shape); error != cudaSuccess) return error;
  if (settings().before_launch != nullptr) settings().before_launch(shape);
  error_ = cudaSuccess;
  for (unsigned rank = 0; rank < shape.cluster; ++rank)
    machines_[rank].beginLaunch(shape, body, argument);
  block_size = {shape.block.x, shape.block.y, shape.block.z};
  grid_size = {shape.grid.x, shape.grid.y, shape.grid.z};
  beginFindings();
  Machine::active = &machines_[0];
  {
    FaultGuard guard;
    runGrid(shape);
  }
  Machine::active = nullptr;
  endFindings();
  return error_;
}

void Launcher::runGrid(const launch_shape& shape) {
  MachineContext& context = machines_[0].context;
  const enum order order = context.launchOptions().order;
  const auto clusters = std::uint64_t{shape.grid.x} * shape.grid.y * shape.grid.z / shape.cluster;
  std::vector<std::uint32_t> shuffled;
  if (order == order::random && clusters <= 1 << 22) {
    shuffled.resize(clusters);
    for (std::uint32_t b = 0; b < clusters; ++b) shuffled[b] = b;
    std::shuffle(shuffled.begin(), shuffled.end(), context.random());
  }
  const bool descending = order == order::reverse || order == order::warp_last;
  for (std::uint64_t b = 0; b < clusters && error_ == cudaSuccess; ++b) {
    const std::uint64_t next = !shuffled.empty() ? shuffled[b] : descending ? clusters - 1 - b : b;
    if (shape.cluster > 1)
      runCluster(next * shape.cluster);
    else
      runBlock(next);
  }
}

void Launcher::runBlock(std::uint64_t linear) {
  machines_[0].beginBlock(linear, 0);
  machines_[0].scheduler.runThreads();
  machines_[0].endBlock();
  noteError(0);
}

// ---- clusters

void Launcher::swapIn(unsigned rank) {
  Resident& resident = residents_[rank];
  Machine::active = &machines_[rank];
  setBlockIndex(resident.linear);
  std::memcpy(shared_begin, resident.shared.data(), resident.shared.size());
}

void Launcher::swapOut(unsigned rank) {
  std::vector<unsigned char>& shared = residents_[rank].shared;
  std::memcpy(shared.data(), shared_begin, shared.size());
}

void Launcher::takeTurn(unsigned rank) {
  Machine& machine = machines_[rank];
  swapIn(rank);
  machine.cluster.deliverAll();
  if (machine.context.error() == cudaSuccess && machine.scheduler.canRun())
    machine.scheduler.runThreads();
  swapOut(rank);
}

void Launcher::runCluster(std::uint64_t first) {
  MachineContext& context = machines_[0].context;
  for (unsigned rank = 0; rank < 2; ++rank) {
    Machine::active = &machines_[rank];
    machines_[rank].beginBlock(first + rank, rank);
    residents_[rank].linear = first + rank;
    residents_[rank].shared.assign(context.sharedBytes(), 0xff);
  }
  const enum order order = context.launchOptions().order;
  const bool is_second_first = order == order::reverse || order == order::warp_last ||
                               (order == order::random && context.random()() % 2 == 0);
  for (bool goes_on = true; goes_on && error_ == cudaSuccess;) {
    goes_on = false;
    for (unsigned i = 0; i < 2 && error_ == cudaSuccess; ++i) {
      const unsigned rank = i ^ unsigned(is_second_first);
      if (!machines_[rank].cluster.hasMail() && !machines_[rank].scheduler.canRun()) continue;
      goes_on = true;
      takeTurn(rank);
      noteError(rank);
    }
  }
  for (unsigned rank = 0; rank < 2 && error_ == cudaSuccess; ++rank) {
    swapIn(rank);
    machines_[rank].endBlock();
    noteError(rank);
  }
  Machine::active = &machines_[0];
}

}  // namespace

cudaError_t run(const launch_shape& shape, void (*body)(void*), void* context) {
  static std::mutex one_at_a_time;  // there is one set of built-in variables
  static Launcher launcher;
  std::lock_guard lock(one_at_a_time);
  return setLastError(launcher.run(shape, body, context));
}

}  // namespace emulate
