// Conversions of 16-bit and 8-bit floats, and conversions that round toward zero (C++ casts do the
// others); a product that is never fused into an fma.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#endif
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper to_float include <cuda_fp16.h>, <cuda_bf16.h>
// The exact value of a 16-bit float.
__device__ __forceinline__ float to_float(__half x) { return __half2float(x); }
__device__ __forceinline__ float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

// @helper to_float_rz include <cstdint>
// Rounded toward zero.
__device__ __forceinline__ float to_float_rz(double x) { return __double2float_rz(x); }
__device__ __forceinline__ float to_float_rz(int x) { return __int2float_rz(x); }
__device__ __forceinline__ float to_float_rz(uint32_t x) { return __uint2float_rz(x); }
__device__ __forceinline__ float to_float_rz(int64_t x) { return __ll2float_rz(x); }
__device__ __forceinline__ float to_float_rz(uint64_t x) { return __ull2float_rz(x); }

// @helper to_double_rz include <cstdint>
// Rounded toward zero.
__device__ __forceinline__ double to_double_rz(int64_t x) { return __ll2double_rz(x); }
__device__ __forceinline__ double to_double_rz(uint64_t x) { return __ull2double_rz(x); }

// @helper to_half include <cuda_fp16.h>, <cstdint>
// Rounded once, to nearest even.
__device__ __forceinline__ __half to_half(float x) { return __float2half_rn(x); }
__device__ __forceinline__ __half to_half(double x) { return __double2half(x); }
__device__ __forceinline__ __half to_half(int x) { return __int2half_rn(x); }
__device__ __forceinline__ __half to_half(uint32_t x) { return __uint2half_rn(x); }
__device__ __forceinline__ __half to_half(int64_t x) { return __ll2half_rn(x); }
__device__ __forceinline__ __half to_half(uint64_t x) { return __ull2half_rn(x); }

// @helper to_half_rz include <cuda_fp16.h>
// Rounded toward zero.
__device__ __forceinline__ __half to_half_rz(float x) { return __float2half_rz(x); }

// @helper to_bfloat16 include <cuda_bf16.h>, <cstdint>
// Rounded once, to nearest even.
__device__ __forceinline__ __nv_bfloat16 to_bfloat16(float x) { return __float2bfloat16_rn(x); }
__device__ __forceinline__ __nv_bfloat16 to_bfloat16(double x) { return __double2bfloat16(x); }
__device__ __forceinline__ __nv_bfloat16 to_bfloat16(int x) { return __int2bfloat16_rn(x); }
__device__ __forceinline__ __nv_bfloat16 to_bfloat16(uint32_t x) { return __uint2bfloat16_rn(x); }
__device__ __forceinline__ __nv_bfloat16 to_bfloat16(int64_t x) { return __ll2bfloat16_rn(x); }
__device__ __forceinline__ __nv_bfloat16 to_bfloat16(uint64_t x) { return __ull2bfloat16_rn(x); }

// @helper to_bfloat16_rz include <cuda_bf16.h>
// Rounded toward zero.
__device__ __forceinline__ __nv_bfloat16 to_bfloat16_rz(float x) { return __float2bfloat16_rz(x); }

// @helper to_float8 include <cuda_fp8.h>, <cmath>
// Rounded once, to nearest even, and saturated; every NaN becomes 0x7f.
template <class T>
__device__ __forceinline__ T to_float8(double x) {
  return x == x ? T(x) : T(NAN);
}

// @helper to_float8_rz needs bit_cast include <cuda_fp8.h>, <cmath>, <cstdint>, <type_traits>
// Rounded toward zero, and saturated. The bits are truncated here, so that the conversion has
// nothing left to round.
template <class T>
__device__ __forceinline__ T to_float8_rz(float x) {
  constexpr bool kIsE4m3 = std::is_same<T, __nv_fp8_e4m3>::value;
  constexpr float kSmallest = kIsE4m3 ? 0.015625f : 6.103515625e-05f;  // the smallest normal number
  constexpr float kStep =
      kIsE4m3 ? 0.001953125f : 1.52587890625e-05f;  // the distance of subnormal numbers
  if (!(fabsf(x) >= kSmallest)) return T(truncf(x * (1 / kStep)) * kStep);
  return T(bit_cast<float>(bit_cast<uint32_t>(x) & (kIsE4m3 ? 0xfff00000u : 0xffe00000u)));
}

// @helper multiply include <cuda_fp16.h>, <cuda_bf16.h>
// a * b rounded to 16 bits even if something is added to it: the compiler fuses `a * b + c` of
// 16-bit floats into an fma.
__device__ __forceinline__ __half multiply(__half a, __half b) { return __hmul_rn(a, b); }
__device__ __forceinline__ __nv_bfloat16 multiply(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hmul_rn(a, b);
}

// @end

}  // namespace v1
}  // namespace tile2cu
