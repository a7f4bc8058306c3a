// Asynchronous copies of a few bytes from global to shared memory (PTX ISA, "cp.async",
// "cp.async.commit_group", "cp.async.wait_group").
//
// A copy completes as late as the waits allow, when its thread waits for its group. Its source is
// read then, too.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "machine_context.h"
#include "memory_checker.h"

namespace emulate {

class AsyncCopyUnit {
 public:
  AsyncCopyUnit(MachineContext& context, MemoryChecker& memory)
      : context_(context), memory_(memory) {}

  void beginBlock();
  // Starts a copy of the first `valid` of `bytes` bytes; the others become zero.
  void start(void* to, const void* from, std::uint32_t bytes, std::uint32_t valid, const void* pc);
  void commit();
  // Waits until at most `pending` committed groups of the running thread are not complete.
  void wait(unsigned pending);

 private:
  struct Copy {
    unsigned char* to;
    const unsigned char* from;
    std::uint32_t bytes, valid;
    Site site;                    // where it was started
    unsigned char seen[16] = {};  // the source at that time
  };
  struct Queue {
    std::deque<Copy> copies;           // of all groups, oldest first
    std::deque<unsigned> group_sizes;  // of committed groups: copies that are not complete
    unsigned open = 0;                 // copies since the last commit
  };
  bool takeOldest(unsigned pending, Copy& copy);
  void complete(const Copy& copy);

  MachineContext& context_;
  MemoryChecker& memory_;
  std::vector<Queue> queues_;  // [thread]
  unsigned in_flight_ = 0;     // copies of all threads
};

}  // namespace emulate
