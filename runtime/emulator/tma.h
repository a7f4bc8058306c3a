// Boxes on their way between global and shared memory.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "shadow.h"
#include "site.h"
#include "tensor_map.h"

namespace emulate {

struct BoxCopy {
  TensorMap map;
  int corner[5] = {};
  std::uint32_t offset = 0;  // of the box, in shared memory
  unsigned thread = 0;       // that has started it
  Site site;
  Shadow::Clock clock;  // when it was started
  // Of a load, the tensor's elements when it was started; of a store, the box once it is read. Rows
  // of map.rowBytes(), not swizzled, zeros outside.
  std::vector<unsigned char> elements;
  bool read = false;
};

// The elements of a box in global memory.
std::vector<unsigned char> gather(const BoxCopy& copy);

struct BoxCopies {
  struct Stores {
    std::deque<BoxCopy> all;      // oldest first
    std::deque<unsigned> groups;  // committed ones: stores that are not in global memory
    unsigned open = 0;
  };
  std::map<unsigned, BoxCopy> loads;
  unsigned next_load = 0;
  std::vector<Stores> stores;  // [thread]

  void beginBlock(unsigned threads) {
    loads.clear();
    next_load = 0;
    stores.assign(threads, Stores{});
  }
};

}  // namespace emulate
