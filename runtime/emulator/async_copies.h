// Copies to shared memory that are on their way (cp.async), of all threads of the block.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "site.h"

namespace emulate {

struct AsyncCopy {
  unsigned char* to;
  const unsigned char* from;
  std::uint32_t bytes, valid;   // the bytes from `valid` on become zero
  Site site;                    // where it was started
  unsigned char seen[16] = {};  // the source then
};

class AsyncCopies {
 public:
  struct Flight {
    unsigned copies = 0;  // to this word; more than one is a fault already
    unsigned thread = 0;  // of the last one
    Site site;
  };

  void beginBlock(unsigned threads);
  void start(unsigned thread, const AsyncCopy& copy);
  void commit(unsigned thread);

  // The oldest copy that has to land for at most `pending` committed groups to be left; false if
  // there is none.
  bool next(unsigned thread, unsigned pending, AsyncCopy& copy);

  // A copy, of whichever thread, on its way to [address, address + bytes) of shared memory, or
  // null.
  const Flight* find(std::uintptr_t address, std::uint32_t bytes) const;

 private:
  struct Queue {
    std::deque<AsyncCopy> copies;      // of all groups, oldest first
    std::deque<unsigned> group_sizes;  // of committed groups: copies that have not landed
    unsigned open = 0;                 // copies since the last commit
  };
  Flight* word(const unsigned char* p);

  std::vector<Queue> queues_;  // [thread]
  std::vector<Flight> words_;  // of shared memory
  unsigned on_their_way_ = 0;
};

}  // namespace emulate
