// Conditions that are checked at run time.
#pragma once
#include <cassert>
#include <cstdio>

namespace tile2cu {
inline namespace v1 {

// @helper device_assert include <cassert>, <cstdio>
// If the condition does not hold, prints where and which condition, and ends the kernel
// (cudaErrorAssert). Does nothing with NDEBUG.
__device__ __forceinline__ void device_assert(bool condition, const char* text) {
#ifndef NDEBUG
  if (!condition) printf("device_assert: %s\n", text);
  assert(condition);
#endif
}

// @helper check include <cstddef>
// CUDA's function for assert: prints the text, and ends the kernel with cudaErrorAssert.
extern "C" __device__ void __assertfail(const char* text, const char* file, unsigned line,
                                        const char* function, std::size_t bytes_per_character);
// A check of tile2cu --checks, which NDEBUG does not remove; the text says where and what.
__device__ __forceinline__ void check(bool condition, const char* text) {
  if (!condition) __assertfail(text, __FILE__, __LINE__, __func__, 1);
}

// @helper check_value needs check include <cstdio>
// The same, and prints the value that was checked.
__device__ __forceinline__ void check_value(bool condition, const char* text, long long value) {
  if (!condition) printf("check: %s: %lld\n", text, value);
  check(condition, text);
}

// @end

}  // namespace v1
}  // namespace tile2cu
