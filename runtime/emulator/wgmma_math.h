// The arithmetic of one wgmma: where its operands lie in shared memory, which elements of the
// accumulator each thread holds, and the multiplication (PTX ISA, "Asynchronous Warpgroup Level
// Matrix Multiply-Accumulate Operation").
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "site.h"
#include "thread_clocks.h"
#include "tile2cu/emulator/wgmma.h"

namespace emulate {

inline constexpr unsigned WARPGROUP = 128;
inline constexpr int WGMMA_M = 64;

// A wgmma from its start to its wait.
struct Wgmma {
  wgmma_instruction what;
  bool in_registers, accumulate;  // in_registers: A
  std::uint32_t a, b;             // lower words of the matrix descriptors
  std::uint32_t registers[WARPGROUP][4];
  void* acc;                          // of the first thread: names the accumulator
  std::vector<std::uint32_t> chunks;  // of shared memory that it reads
  bool computed = false;
  Site site;
  ThreadClocks::Clock clocks[4];  // of each warp's agent
};

// The accumulator of wgmmas that have not been waited for. Its registers hold poison meanwhile.
struct Accumulator {
  void* lanes[WARPGROUP];
  std::size_t bytes;  // of a thread
  std::vector<unsigned char> values;
  unsigned wgmmas = 0;  // that use it
  unsigned char* of(unsigned thread) { return &values[thread * bytes]; }
};

// Where element (i, k) of an operand begins in shared memory: i is the row of A or the column of B,
// `word` the lower word of its descriptor. 8 rows of a panel are 8 * row_bytes apart.
std::uint32_t operandOffset(std::uint32_t word, int row_bytes, bool transposed, int element_bytes,
                            int i, int k);

// The bytes of the accumulator that a thread holds.
std::size_t accumulatorBytes(const wgmma_instruction& what);

// acc = A * B (+ acc).
void multiplyAccumulate(const Wgmma& wgmma, Accumulator& acc);

}  // namespace emulate
