// The 16 barriers of a block (PTX ISA, "barrier{.cta}, bar{.cta}"): __syncthreads() and the named
// barriers bar.sync and bar.arrive.
#pragma once
#include <vector>

#include "machine_context.h"
#include "memory_checker.h"
#include "scheduler.h"
#include "thread_clocks.h"

namespace emulate {

class CtaBarriers {
 public:
  CtaBarriers(MachineContext& context, Scheduler& scheduler, MemoryChecker& memory)
      : context_(context), scheduler_(scheduler), clocks_(memory.clocks()) {}

  void beginBlock();
  // __syncthreads(): waits for all threads of the block.
  void sync(const void* pc);
  // Barrier `id` of `threads` threads: bar.sync if the thread waits, else bar.arrive.
  void named(int id, unsigned threads, bool waits, const void* pc);

 private:
  struct NamedBarrier {
    unsigned threads = 0;  // the expected count; 0: no thread has arrived yet
    std::vector<unsigned> arrived, waiters;
    ThreadClocks::Clock clock;
    Site first;
  };

  MachineContext& context_;
  Scheduler& scheduler_;
  ThreadClocks& clocks_;
  unsigned in_sync_ = 0;  // threads that wait in sync()
  Site sync_site_;        // of the first of them
  NamedBarrier named_[16];
};

}  // namespace emulate
