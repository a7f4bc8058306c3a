// mbarriers and named barriers of a block.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "shadow.h"
#include "site.h"

namespace emulate {

struct Mbarrier {
  std::uint32_t offset = 0;  // in shared memory
  int arrivals = 0;          // of each phase
  int pending = 0;           // of the current one
  std::int64_t bytes = 0;    // announced to the current one, less those that have come
  unsigned phase = 0;        // of the current one
  unsigned thread = 0;       // that has prepared it
  bool fenced = false;       // since then
  Shadow::Clock collecting, complete;
  Shadow::Clock partner_collecting, partner_complete;  // of the other block of the cluster
  std::vector<unsigned> waiters;
  std::vector<unsigned> loads;  // on their way (BoxCopies::loads)

  // "phase 0 of the barrier at byte 64 of shared memory lacks 1 of 2 arrivals"
  std::string describe() const;
};

struct NamedBarrier {
  unsigned threads = 0;  // that it takes; 0: nobody has come yet
  std::vector<unsigned> come, waiters;
  Shadow::Clock clock;
  Site first;
};

struct Barriers {
  std::unordered_map<std::uint32_t, Mbarrier> at;  // [offset]
  NamedBarrier named[16];
  void beginBlock() {
    at.clear();
    for (NamedBarrier& one : named) one = {};
  }
};

}  // namespace emulate
