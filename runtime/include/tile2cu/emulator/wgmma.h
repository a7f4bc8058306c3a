// wgmma: MMA by a warpgroup. The last of its threads to arrive does the work of all threads.
#pragma once
#include <cstdint>

#include "tensor_core.h"

namespace emulate {

struct wgmma_instruction {
  const char* name;  // of the helper
  mma_element a, b;
  mma_accumulator d;
  int n, k;
  bool a_transposed, b_transposed;  // mn-major
  int a_row_bytes, b_row_bytes;     // of operands in shared memory
};

// acc = A * B (+ acc, if it accumulates), by a warpgroup. A is in `registers` if that is not null,
// else in shared memory as `a` describes it.
void wgmma(const wgmma_instruction& instruction, void* acc, const std::uint32_t* registers,
           std::uint32_t a, std::uint32_t b, bool accumulate);
void wgmma_fence();
void wgmma_commit();
void wgmma_wait(unsigned pending);
// The lower word of a matrix descriptor.
std::uint32_t wgmma_operand(const void* first, int panel_bytes);

}  // namespace emulate
