// Arithmetic that is one PTX instruction or one CUDA intrinsic. Errors are CUDA's documented
// maxima.
#pragma once
#include <cstdint>

namespace tile2cu {
inline namespace v1 {

// @helper negate include <cstdint>
// -x of an integer, in which nvcc sees no negation: ~x + 1. nvcc 12.8 to 13.3 makes one instruction
// of max(max(-x, y), z) for sm_90 and newer, and may drop the sign of -x there.
template <class T>
__device__ __forceinline__ T negate(T x) {
  if constexpr (sizeof(T) == 8) {
    int64_t y;
    asm("{ .reg .b64 t; not.b64 t, %1; add.s64 %0, t, 1; }" : "=l"(y) : "l"(int64_t(x)));
    return T(y);
  } else {
    int y;
    asm("{ .reg .b32 t; not.b32 t, %1; add.s32 %0, t, 1; }" : "=r"(y) : "r"(int(x)));
    return T(y);
  }
}

// @helper exp2
// 2^x in one instruction: relative error under 2^-22.5; subnormal results are 0.
__device__ __forceinline__ float exp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ double exp2(double x) { return ::exp2(x); }

// @helper log2
// log2(x) in one instruction: relative error under 2^-22, absolute under 2^-22 for x in [0.5, 2]; a
// subnormal x counts as 0.
__device__ __forceinline__ float log2(float x) {
  float y;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ double log2(double x) { return ::log2(x); }

// @helper rsqrt
// 1 / sqrt(x) in one instruction: 2 ulp; a subnormal x counts as 0.
__device__ __forceinline__ float rsqrt(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ double rsqrt(double x) { return ::rsqrt(x); }

// @helper sqrt
// sqrt(x) in one instruction: relative error under 2^-23; a subnormal x counts as 0.
__device__ __forceinline__ float sqrt(float x) {
  float y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ double sqrt(double x) { return ::sqrt(x); }

// @helper reciprocal
// 1 / x in one instruction: 1 ulp; subnormal x and results count as 0.
__device__ __forceinline__ float reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ double reciprocal(double x) { return 1.0 / x; }

// @helper fast_tanh
// tanh(x) in one instruction, from sm_75 on: relative error under 2^-11; subnormal numbers are not
// flushed.
__device__ __forceinline__ float fast_tanh(float x) {
#if __CUDA_ARCH__ >= 750
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return tanhf(x);
#endif
}
__device__ __forceinline__ double fast_tanh(double x) { return ::tanh(x); }

// @helper fdiv
// x / y, 2 ulp over the whole range of float (__fdividef is 0 for |y| > 2^126).
__device__ __forceinline__ float fdiv(float x, float y) {
  float quotient;
  asm("div.full.f32 %0, %1, %2;" : "=f"(quotient) : "f"(x), "f"(y));
  return quotient;
}
__device__ __forceinline__ double fdiv(double x, double y) { return x / y; }

// @helper maximum_nan
// The larger of two floats; NaN if either is NaN. One instruction from sm_80 on.
__device__ __forceinline__ float maximum_nan(float a, float b) {
#if __CUDA_ARCH__ >= 800
  float larger;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(a), "f"(b));
  return larger;
#else
  return a != a ? a : b != b ? b : fmaxf(a, b);
#endif
}
__device__ __forceinline__ double maximum_nan(double a, double b) {
  return a != a ? a : b != b ? b : fmax(a, b);
}

// @helper minimum_nan
// The smaller of two floats; NaN if either is NaN. One instruction from sm_80 on.
__device__ __forceinline__ float minimum_nan(float a, float b) {
#if __CUDA_ARCH__ >= 800
  float smaller;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(smaller) : "f"(a), "f"(b));
  return smaller;
#else
  return a != a ? a : b != b ? b : fminf(a, b);
#endif
}
__device__ __forceinline__ double minimum_nan(double a, double b) {
  return a != a ? a : b != b ? b : fmin(a, b);
}

// @helper umulhi include <cstdint>
// The upper half of the product of two unsigned numbers.
__device__ __forceinline__ uint32_t umulhi(uint32_t a, uint32_t b) { return __umulhi(a, b); }
__device__ __forceinline__ uint64_t umulhi(uint64_t a, uint64_t b) { return __umul64hi(a, b); }

// @helper mulhi include <cstdint>
// The upper half of the product of two signed numbers.
__device__ __forceinline__ int mulhi(int a, int b) { return __mulhi(a, b); }
__device__ __forceinline__ int64_t mulhi(int64_t a, int64_t b) { return __mul64hi(a, b); }

// @helper multiply_wide include <cstdint>
// The 64-bit product of two 32-bit numbers in one instruction (ptxas uses two for uint64_t *
// uint64_t).
__device__ __forceinline__ uint64_t multiply_wide(uint32_t a, uint32_t b) {
  uint64_t product;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
  return product;
}

// @helper precise.sqrt
namespace precise {
// sqrt(x), correctly rounded, whatever the flags of the compiler.
__device__ __forceinline__ float sqrt(float x) { return __fsqrt_rn(x); }
__device__ __forceinline__ double sqrt(double x) { return __dsqrt_rn(x); }
}  // namespace precise

// @helper precise.rsqrt
namespace precise {
// 1 / sqrt(x): correctly rounded root and quotient, 1.5 ulp.
__device__ __forceinline__ float rsqrt(float x) { return __fdiv_rn(1.0f, __fsqrt_rn(x)); }
__device__ __forceinline__ double rsqrt(double x) { return __ddiv_rn(1.0, __dsqrt_rn(x)); }
}  // namespace precise

// @end

}  // namespace v1
}  // namespace tile2cu
