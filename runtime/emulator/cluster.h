// What blocks of a cluster do to each other. They take turns: one runs until none of its threads can
// go on, and what it did to the other is found there when that one's turn comes.
#pragma once
#include <cstdint>

#include "shadow.h"
#include "site.h"
#include "tma.h"

namespace emulate {

struct ClusterMessage {
  bool is_load = false;       // else an arrival
  std::uint32_t barrier = 0;  // its offset in shared memory
  BoxCopy load;
  unsigned thread = 0;
  Site site;
  Shadow::Clock
      clock;  // of an arrival: its sender's; of a load: what its sender knew of the receiver
};

}  // namespace emulate
