// The order between blocks of a launch: fences with atomics at one address between them (PTX ISA,
// "membar / fence" and "Memory Consistency Model": morally strong fences synchronize). A fence
// before an atomic releases what the thread knows of. An atomic followed by a fence acquires what
// was released at its address before.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "knowledge.h"
#include "thread_clocks.h"

namespace emulate {

class BlockFences {
 public:
  explicit BlockFences(ThreadClocks& clocks) : clocks_(clocks) {}

  void beginLaunch();
  void beginBlock();
  void fence(unsigned thread);  // __threadfence()
  // An atomic of `thread`, which reads and writes, or does only one of the two.
  void atomic(std::uintptr_t address, unsigned thread, bool reads, bool writes);
  // Whether `thread` has acquired the time (epoch, clock) of the thread `earlier`, of whichever
  // block.
  bool acquired(std::uint32_t epoch, unsigned earlier, std::uint16_t clock, unsigned thread) const;

 private:
  struct Fenced {
    Knowledge released, seen;
  };
  // The knowledge that a thread of this block acquired up to `clock`. It counts for that thread,
  // and for each access that is ordered after `clock`.
  struct Acquired {
    std::uint16_t clock;
    Knowledge all;
  };
  void acquire(unsigned thread, std::uint16_t clock, const Knowledge& what);
  void settleAcquired();
  const Acquired* latestAcquired(unsigned by, unsigned thread) const;
  unsigned block() const { return unsigned(blocks_.size()) - 1; }

  ThreadClocks& clocks_;
  std::vector<std::uint32_t> blocks_;            // the first epoch of each block of this launch
  std::unordered_map<unsigned, Fenced> fenced_;  // by thread, of this block
  std::unordered_map<std::uintptr_t, Knowledge> released_at_;  // by address, of this launch
  Knowledge acquired_before_;         // by this block, before its last barrier
  std::uint32_t acquired_epoch_ = 0;  // of what `acquired_` holds
  std::unordered_map<unsigned, std::vector<Acquired>> acquired_;  // by thread, in order
};

}  // namespace emulate
