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

__forceinline__ void check(bool condition, const char* text) {
  if (condition) return;
  std::fprintf(stderr, "check: %s (block %u %u %u, thread %u)\n", text, blockIdx.x, blockIdx.y,
               blockIdx.z, threadIdx.x);
  std::abort();
}

__forceinline__ void check_value(bool condition, const char* text, long long value) {
  if (condition) return;
  std::fprintf(stderr, "check: %s: %lld\n", text, value);
  check(false, text);
}

}  // namespace v1
}  // namespace tile2cu
