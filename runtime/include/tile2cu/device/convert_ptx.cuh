// Small integers as 16-bit floats by bit manipulation: conversion instructions run at a quarter of
// the rate of others. Bytes are converted four at a time, as one word.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper small_to_half include <cuda_fp16.h>
// x from LOW to LOW + 1023, exactly: 0x6400 + i is the __half 1024 + i.
template <int LOW>
__device__ __forceinline__ __half small_to_half(int x) {
  static_assert(LOW >= -1024 && LOW <= 1024, "1024 - LOW is a __half");
  return __hsub(__ushort_as_half((unsigned short)(0x6400 + (x - LOW))),
                __float2half_rn(1024.0f - LOW));
}

// @helper small_to_bfloat16 include <cuda_bf16.h>
// x from LOW to LOW + 127, exactly: 0x4300 + i is the __nv_bfloat16 128 + i.
template <int LOW>
__device__ __forceinline__ __nv_bfloat16 small_to_bfloat16(int x) {
  static_assert(LOW >= -128 && LOW <= 128, "128 - LOW is a __nv_bfloat16");
  return __hsub(__ushort_as_bfloat16((unsigned short)(0x4300 + (x - LOW))),
                __float2bfloat16_rn(128.0f - LOW));
}

// @helper bytes_to_half needs bit_cast, vec include <cuda_fp16.h>, <cstdint>
// Bytes as __half, exactly. 0x6400 | b is the __half 1024 + b; flipping the sign bit of a signed
// byte adds 128 to it.
template <class T, int N>
__device__ __forceinline__ vec<__half, N> bytes_to_half(const vec<T, N>& x) {
  constexpr bool SIGNED = T(-1) < T(0);
  if constexpr (N % 4 != 0) {
    vec<__half, N> result;
#pragma unroll
    for (int v = 0; v < N; ++v) result[v] = __float2half_rn(float(x[v]));
    return result;
  } else {
    const __half2 offset = __float2half2_rn(SIGNED ? 1152.0f : 1024.0f);
    const vec<uint32_t, N / 4> words = bit_cast<vec<uint32_t, N / 4>>(x);
    vec<__half2, N / 2> result;
#pragma unroll
    for (int w = 0; w < N / 4; ++w) {
      const uint32_t bytes = SIGNED ? words[w] ^ 0x80808080u : words[w];
      const uint32_t low = __byte_perm(bytes, 0x64646464u, 0x4140);
      const uint32_t high = __byte_perm(bytes, 0x64646464u, 0x4342);
      result[2 * w] = __hsub2(bit_cast<__half2>(low), offset);
      result[2 * w + 1] = __hsub2(bit_cast<__half2>(high), offset);
    }
    return bit_cast<vec<__half, N>>(result);
  }
}

// @helper bytes_to_bfloat16 needs bit_cast, vec include <cuda_bf16.h>, <cstdint>
// Bytes as __nv_bfloat16, exactly. 0x4b000000 | b is the float 2^23 + b; flipping the sign bit of a
// signed byte adds 128 to it.
template <class T, int N>
__device__ __forceinline__ vec<__nv_bfloat16, N> bytes_to_bfloat16(const vec<T, N>& x) {
  constexpr bool SIGNED = T(-1) < T(0);
  if constexpr (N % 4 != 0) {
    vec<__nv_bfloat16, N> result;
#pragma unroll
    for (int v = 0; v < N; ++v) result[v] = __float2bfloat16_rn(float(x[v]));
    return result;
  } else {
    const float offset = SIGNED ? 8388736.0f : 8388608.0f;
    const vec<uint32_t, N / 4> words = bit_cast<vec<uint32_t, N / 4>>(x);
    vec<__nv_bfloat162, N / 2> result;
#pragma unroll
    for (int w = 0; w < N / 4; ++w) {
      const uint32_t bytes = SIGNED ? words[w] ^ 0x80808080u : words[w];
      float numbers[4];
#pragma unroll
      for (int b = 0; b < 4; ++b)
        numbers[b] = bit_cast<float>(__byte_perm(bytes, 0x4b000000u, 0x7440 + b)) - offset;
      result[2 * w] = __floats2bfloat162_rn(numbers[0], numbers[1]);
      result[2 * w + 1] = __floats2bfloat162_rn(numbers[2], numbers[3]);
    }
    return bit_cast<vec<__nv_bfloat16, N>>(result);
  }
}

// @end

}  // namespace v1
}  // namespace tile2cu
