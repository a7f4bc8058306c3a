// A warpgroup and its products that are on their way (wgmma).
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "shadow.h"
#include "site.h"
#include "tile2cu/emulator/wgmma.h"

namespace emulate {

inline constexpr unsigned WARPGROUP = 128;

// What a thread brings to a product.
struct WgmmaLane {
  const wgmma_instruction* what;
  void* acc;
  const std::uint32_t* registers;
  std::uint32_t a, b;
  bool accumulate;
};

struct Product {
  wgmma_instruction what;
  bool in_registers, accumulate;
  std::uint32_t a, b;
  std::uint32_t registers[WARPGROUP][4];
  void* acc;                          // of the first thread: which sums
  std::vector<std::uint32_t> chunks;  // of shared memory that it reads
  bool computed = false;
  Site site;
  Shadow::Clock clocks[4];  // of each warp's agent
};

// The sums of products that have not been waited for; their registers hold poison.
struct Sums {
  void* lanes[WARPGROUP];
  std::size_t bytes;  // of a lane
  std::vector<unsigned char> values;
  unsigned products = 0;
  unsigned char* of(unsigned lane) { return &values[lane * bytes]; }
};

struct Warpgroup {
  // On their way through an instruction.
  unsigned arrived = 0;
  const char* instruction = "";
  Site first;
  void* brought[WARPGROUP] = {};

  bool fenced = false;                            // wgmma_fence was there
  std::deque<std::shared_ptr<Product>> products;  // oldest first
  std::deque<unsigned> groups;                    // committed ones: products
  unsigned open = 0;
  std::map<void*, Sums> sums;  // [of the first thread]
};

}  // namespace emulate
