// __device__ functions that cases and fuzzed programs call: the emitted file includes this header.
#pragma once
#include <cmath>
#include <cstdint>

// CUDA's names, which the emulator has as well.
#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#elif !defined(TILE2CU_EMULATE)
using __half = tl::float16;
using __nv_bfloat16 = tl::bfloat16;
#endif

namespace device_functions {

// Ends for numbers from 1 on only, and counts its steps.
__host__ __device__ inline int collatz_steps(int n) {
  int steps = 0;
  for (uint64_t k = n; k != 1; ++steps) k = k % 2 ? 3 * k + 1 : k / 2;
  return steps;
}
__host__ __device__ inline float blended(float a, float b, float share) {
#ifdef __CUDA_ARCH__
  return __fadd_rn(__fmul_rn(a, share), __fmul_rn(b, __fsub_rn(1, share)));
#else
  const float first = a * share, second = b * (1 - share);
  return first + second;
#endif
}
// The overload that the type of the argument chooses.
__host__ __device__ inline int bytes(int8_t) { return 1; }
__host__ __device__ inline int bytes(int16_t) { return 2; }
__host__ __device__ inline int bytes(int) { return 4; }
__host__ __device__ inline int bytes(int64_t) { return 8; }
__host__ __device__ inline int bytes(uint32_t) { return 40; }
__host__ __device__ inline int bytes(float) { return 400; }
__host__ __device__ inline int bytes(double) { return 800; }
__host__ __device__ inline int bytes(__half) { return 1600; }
__host__ __device__ inline int bytes(__nv_bfloat16) { return 3200; }
__host__ __device__ inline __half mixed(__half a, __nv_bfloat16 b, int k) {
  return __half(float(a) * float(b) + k);
}
template <class T>
__host__ __device__ T negated(T x) {
  return T(-float(x));
}
template <class T, int N>
__host__ __device__ T scaled(T x) {
  return x * N + int(sizeof(T));
}

}  // namespace device_functions
