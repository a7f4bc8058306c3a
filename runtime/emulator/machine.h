// One emulated multiprocessor: its units, and the block that they run. runtime/emulator/README.md
// lists the units.
#pragma once
#include <cstdint>

#include "async_copy_unit.h"
#include "cluster_link.h"
#include "cta_barriers.h"
#include "machine_context.h"
#include "mbarriers.h"
#include "memory_checker.h"
#include "scheduler.h"
#include "tile2cu/emulator/launch.h"
#include "tma_unit.h"
#include "warp_collectives.h"
#include "warpgroups.h"

namespace emulate {

struct Machine {
  // The machine whose threads this host thread runs, else null.
  static constinit thread_local Machine* active;

  MachineContext context;
  Scheduler scheduler{context};
  MemoryChecker memory{context, scheduler.stacks()};
  CtaBarriers barriers{context, scheduler, memory};
  WarpCollectives warps{context, scheduler, memory};
  AsyncCopyUnit async_copies{context, memory};
  Mbarriers mbarriers{context, scheduler, memory};
  TmaUnit tma{context, memory, mbarriers};
  Warpgroups warpgroups{context, scheduler, memory};
  ClusterLink cluster{context, scheduler, memory, barriers, mbarriers, tma};

  void beginLaunch(const launch_shape& shape, void (*body)(void*), void* argument);
  // `linear` is the block's number in the grid, `rank` that in its cluster.
  void beginBlock(std::uint64_t linear, unsigned rank);
  // Reports threads and asynchronous work that are not done.
  void endBlock();
};

// The machine that runs the calling fiber; the program ends where there is none.
Machine& runningMachine();

}  // namespace emulate
