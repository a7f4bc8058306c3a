// Instructions that the lanes of a warp execute together (PTX ISA): __syncwarp, shuffles, votes and
// reductions over a mask ("bar.warp.sync", "shfl.sync", "vote.sync", "redux.sync"), and
// instructions of all 32 lanes ("mma", "ldmatrix", "stmatrix").
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "machine_context.h"
#include "memory_checker.h"
#include "scheduler.h"
#include "tile2cu/emulator/intrinsics.h"

namespace emulate {

class WarpCollectives {
 public:
  WarpCollectives(MachineContext& context, Scheduler& scheduler, MemoryChecker& memory)
      : context_(context), scheduler_(scheduler), clocks_(memory.clocks()) {}

  void beginBlock();
  // Waits for the lanes of `mask` in the same collective; returns what each lane passed, by lane.
  // Only collective::sync orders memory.
  const std::uint64_t* exchange(collective kind, unsigned mask, std::uint64_t mine, const void* pc);
  // An instruction of the whole warp: the last lane to arrive calls `run` with what each lane
  // passed.
  void execute(const char* instruction, void* mine, void (*run)(void* const* lanes),
               const void* pc);

 private:
  // The lanes of one mask, some of which have arrived at a collective.
  struct Group {
    unsigned mask = 0;
    collective kind = collective::sync;
    const char* instruction = "";  // of collective::instruction
    Site first;                    // where its first lane is
    unsigned arrived = 0;
    // There are two sets of slots: a fast lane may write its next value before a slow lane has read
    // the current ones.
    unsigned parity = 0;
    std::uint64_t slots[2][32];
  };
  struct Warp {
    unsigned lanes = 0;  // those that exist
    Group whole;
    std::vector<std::unique_ptr<Group>> parts;  // of smaller masks
  };

  static Group& groupOf(Warp& warp, unsigned mask);
  template <class Last>
  void arrive(Group& group, std::uint64_t mine, const char* waits_in, Site here, Last last);

  MachineContext& context_;
  Scheduler& scheduler_;
  ThreadClocks& clocks_;
  std::vector<Warp> warps_;
};

}  // namespace emulate
