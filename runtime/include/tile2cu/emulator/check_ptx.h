// The emulator's device/check_ptx.cuh: ends the program, as a GPU ends the kernel.
#pragma once
#include <cstdio>
#include <cstdlib>

#include "cuda.h"

namespace tile2cu {
inline namespace v1 {

__forceinline__ void device_assert([[maybe_unused]] bool condition,
                                   [[maybe_unused]] const char* text) {
#ifndef NDEBUG
  if (condition) return;
  std::fprintf(stderr, "device_assert: %s (block %u %u %u, thread %u)\n", text, blockIdx.x,
               blockIdx.y, blockIdx.z, threadIdx.x);
  std::abort();
#endif
}

}  // namespace v1
}  // namespace tile2cu
