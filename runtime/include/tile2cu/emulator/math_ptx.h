// The emulator's device/math_ptx.cuh: the same functions, nearly correctly rounded, with the same
// special values.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cmath>
#include <cstdint>

#include "cuda.h"
#include "intrinsics.h"
#include "minmax.h"

namespace emulate {

// Subnormal numbers are zero to the .ftz instructions.
__forceinline__ float flush(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}

}  // namespace emulate

namespace tile2cu {
inline namespace v1 {

template <class T>
__forceinline__ T negate(T x) {
  return T(-x);
}

__forceinline__ float exp2(float x) { return emulate::flush(std::exp2(x)); }
__forceinline__ double exp2(double x) { return std::exp2(x); }

__forceinline__ float log2(float x) { return std::log2(emulate::flush(x)); }
__forceinline__ double log2(double x) { return std::log2(x); }

__forceinline__ float rsqrt(float x) { return float(1.0 / std::sqrt(double(emulate::flush(x)))); }
__forceinline__ double rsqrt(double x) { return 1.0 / std::sqrt(x); }

__forceinline__ float sqrt(float x) { return std::sqrt(emulate::flush(x)); }
__forceinline__ double sqrt(double x) { return std::sqrt(x); }

__forceinline__ float reciprocal(float x) { return emulate::flush(1.0f / emulate::flush(x)); }
__forceinline__ double reciprocal(double x) { return 1.0 / x; }

// As inexact as PTX allows: rounded to 11 bits, with an error of up to 2^-11.
__forceinline__ float fast_tanh(float x) {
  if (std::isnan(x) || std::fabs(x) < 0x1p-126f) return x;
  return __uint_as_float((__float_as_uint(float(std::tanh(double(x)))) + 0x1000) & 0xffffe000);
}
__forceinline__ double fast_tanh(double x) { return std::tanh(x); }

__forceinline__ float fdiv(float x, float y) { return x / y; }
__forceinline__ double fdiv(double x, double y) { return x / y; }

__forceinline__ float maximum_nan(float a, float b) {
  return a != a ? a : b != b ? b : ::emulate::larger(a, b);
}
__forceinline__ double maximum_nan(double a, double b) {
  return a != a ? a : b != b ? b : ::emulate::larger(a, b);
}

__forceinline__ float minimum_nan(float a, float b) {
  return a != a ? a : b != b ? b : ::emulate::smaller(a, b);
}
__forceinline__ double minimum_nan(double a, double b) {
  return a != a ? a : b != b ? b : ::emulate::smaller(a, b);
}

__forceinline__ uint32_t umulhi(uint32_t a, uint32_t b) { return __umulhi(a, b); }
__forceinline__ uint64_t umulhi(uint64_t a, uint64_t b) { return __umul64hi(a, b); }

__forceinline__ int mulhi(int a, int b) { return __mulhi(a, b); }
__forceinline__ int64_t mulhi(int64_t a, int64_t b) { return __mul64hi(a, b); }

__forceinline__ uint64_t multiply_wide(uint32_t a, uint32_t b) { return uint64_t{a} * b; }

namespace precise {

__forceinline__ float sqrt(float x) { return std::sqrt(x); }
__forceinline__ double sqrt(double x) { return std::sqrt(x); }

__forceinline__ float rsqrt(float x) { return 1.0f / std::sqrt(x); }
__forceinline__ double rsqrt(double x) { return 1.0 / std::sqrt(x); }

}  // namespace precise
}  // namespace v1
}  // namespace tile2cu
