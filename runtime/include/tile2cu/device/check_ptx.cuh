// Conditions that the user wants checked while a kernel runs.
#pragma once
#include <cassert>
#include <cstdio>

namespace tile2cu {
inline namespace v1 {

// @helper device_assert include <cassert>, <cstdio>
// Ends the kernel (cudaErrorAssert), with a line that says where and what, if the condition does
// not hold. Nothing with NDEBUG.
__device__ __forceinline__ void device_assert(bool condition, const char* text) {
#ifndef NDEBUG
  if (!condition) printf("device_assert: %s\n", text);
  assert(condition);
#endif
}

// @end

}  // namespace v1
}  // namespace tile2cu
