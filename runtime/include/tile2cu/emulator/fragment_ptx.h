// The twin of device/fragment_ptx.cuh.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cmath>
#include <cstdint>

#include "cuda.h"
#include "float16.h"
#include "intrinsics.h"

namespace tile2cu {
inline namespace v1 {

__forceinline__ uint32_t to_tf32(float x) {
  if (std::isnan(x)) return 0x7fffffff;
  if (std::isinf(x)) return __float_as_uint(x);
  return (__float_as_uint(x) + 0x1000) & 0xffffe000;  // a carry moves the exponent up
}

__forceinline__ uint32_t pack_half(float first, float second) {
  return uint32_t{__half(first).bits} | uint32_t{__half(second).bits} << 16;
}
__forceinline__ uint32_t pack_bfloat16(float first, float second) {
  return uint32_t{__nv_bfloat16(first).bits} | uint32_t{__nv_bfloat16(second).bits} << 16;
}

}  // namespace v1
}  // namespace tile2cu
