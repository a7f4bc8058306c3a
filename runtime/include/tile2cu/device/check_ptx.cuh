// Conditions that the user has checked at run time.
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

// @end

}  // namespace v1
}  // namespace tile2cu
