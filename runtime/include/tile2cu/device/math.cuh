// Functions of float and double built from a few instructions. The fast forms (about 2 ulp) are in
// tile2cu, the forms of --math=precise in tile2cu::precise, under the same names. 16-bit floats are
// computed in float.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <cmath>
#include <cstdint>

#include "bits.cuh"

namespace tile2cu {
inline namespace v1 {

// @helper exp needs exp2
// e^x as 2^(x log2(e)): relative error under 2^-22 + |x| 2^-23; subnormal results are 0.
__device__ __forceinline__ float exp(float x) { return exp2(x * 1.4426950408889634f); }
__device__ __forceinline__ double exp(double x) { return ::exp(x); }

// @helper log needs log2
// ln(x) as log2(x) ln(2): relative error under 2^-21.5, absolute under 2^-22 for x in [0.5, 2]; a
// subnormal x counts as 0.
__device__ __forceinline__ float log(float x) { return log2(x) * 0.6931471805599453f; }
__device__ __forceinline__ double log(double x) { return ::log(x); }

// @helper tanh needs exp2, reciprocal
// tanh(x) without branches, 3 ulp at any x: 1 - 2 / (1 + e^(2|x|)), and a polynomial where that
// would cancel.
__device__ __forceinline__ float tanh(float x) {
  const float magnitude = fabsf(x);
  const float far = fmaf(-2.0f, reciprocal(1.0f + exp2(magnitude * 2.885390081777927f)), 1.0f);
  const float square = x * x;
  float series = 0.016437575f * square - 0.05267181f;
  series = series * square + 0.13320725f;
  series = series * square - 0.33332947f;
  const float near = magnitude * square * series + magnitude;
  return copysignf(magnitude < 0.55f ? near : far, x);
}
__device__ __forceinline__ double tanh(double x) { return ::tanh(x); }

// @helper sin
// sin(x) in radians, 2 ulp at any x.
__device__ __forceinline__ float sin(float x) { return sinf(x); }
__device__ __forceinline__ double sin(double x) { return ::sin(x); }

// @helper cos
// cos(x) in radians, 2 ulp at any x.
__device__ __forceinline__ float cos(float x) { return cosf(x); }
__device__ __forceinline__ double cos(double x) { return ::cos(x); }

// @helper tan
// tan(x) in radians, 4 ulp at any x.
__device__ __forceinline__ float tan(float x) { return tanf(x); }
__device__ __forceinline__ double tan(double x) { return ::tan(x); }

// @helper erf
// The error function, 2 ulp.
__device__ __forceinline__ float erf(float x) { return erff(x); }
__device__ __forceinline__ double erf(double x) { return ::erf(x); }

// @helper pow
// x^y, 4 ulp, with the special cases of C.
__device__ __forceinline__ float pow(float x, float y) { return powf(x, y); }
__device__ __forceinline__ double pow(double x, double y) { return ::pow(x, y); }

// @helper hypot
// sqrt(x * x + y * y) without overflow of the squares, 3 ulp.
__device__ __forceinline__ float hypot(float x, float y) { return hypotf(x, y); }
__device__ __forceinline__ double hypot(double x, double y) { return ::hypot(x, y); }

// @helper floor
// The largest integer that is not above x.
__device__ __forceinline__ float floor(float x) { return floorf(x); }
__device__ __forceinline__ double floor(double x) { return ::floor(x); }

// @helper ceil
// The smallest integer that is not below x.
__device__ __forceinline__ float ceil(float x) { return ceilf(x); }
__device__ __forceinline__ double ceil(double x) { return ::ceil(x); }

// @helper rint
// The nearest integer, halves to even.
__device__ __forceinline__ float rint(float x) { return rintf(x); }
__device__ __forceinline__ double rint(double x) { return ::rint(x); }

// @helper fma
// x * y + z, rounded once.
__device__ __forceinline__ float fma(float x, float y, float z) { return fmaf(x, y, z); }
__device__ __forceinline__ double fma(double x, double y, double z) { return ::fma(x, y, z); }

// @helper absolute include <type_traits>
// |x| of any arithmetic type; the lowest signed integer is returned as it is.
template <class T>
__device__ __forceinline__ T absolute(T x) {
  if constexpr (std::is_unsigned_v<T>) {
    return x;
  } else if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return x < 0 ? T(U(0) - U(x)) : x;
  } else if constexpr (std::is_same_v<T, double>) {
    return fabs(x);
  } else {
    return T(fabsf(float(x)));
  }
}

// @helper maximum
template <class T>  // The larger of two integers
__device__ __forceinline__ T maximum(T a, T b) {
  return a > b ? a : b;
}

// @helper minimum
template <class T>  // The smaller of two integers
__device__ __forceinline__ T minimum(T a, T b) {
  return a < b ? a : b;
}

// @helper maximum_number include <type_traits>
// The larger of two values; if one is NaN, the other one.
template <class T>
__device__ __forceinline__ T maximum_number(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return a > b ? a : b;
  else if constexpr (std::is_same_v<T, double>)
    return fmax(a, b);
  else
    return T(fmaxf(float(a), float(b)));
}

// @helper minimum_number include <type_traits>
// The smaller of two values; if one is NaN, the other one.
template <class T>
__device__ __forceinline__ T minimum_number(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return a < b ? a : b;
  else if constexpr (std::is_same_v<T, double>)
    return fmin(a, b);
  else
    return T(fminf(float(a), float(b)));
}

// @helper saturating_sub include <cstdint>
// a - b, saturated to the range of int64_t.
__device__ __forceinline__ int64_t saturating_sub(int64_t a, int64_t b) {
  const int64_t difference = int64_t(uint64_t(a) - uint64_t(b));
  // a - b overflows only if the signs of a and b differ, and then its sign is not that of a.
  const bool overflows = ((a ^ b) & (a ^ difference)) < 0;
  return overflows ? (a < 0 ? INT64_MIN : INT64_MAX) : difference;
}

// @helper precise.exp2
namespace precise {
// 2^x: 3 ulp, subnormal results included.
__device__ __forceinline__ float exp2(float x) { return exp2f(x); }
__device__ __forceinline__ double exp2(double x) { return ::exp2(x); }
}  // namespace precise

// @helper precise.exp
namespace precise {
// e^x: 2 ulp at any x.
__device__ __forceinline__ float exp(float x) { return expf(x); }
__device__ __forceinline__ double exp(double x) { return ::exp(x); }
}  // namespace precise

// @helper precise.log2
namespace precise {
// log2(x): 1 ulp at any x.
__device__ __forceinline__ float log2(float x) { return log2f(x); }
__device__ __forceinline__ double log2(double x) { return ::log2(x); }
}  // namespace precise

// @helper precise.log
namespace precise {
// ln(x): 1 ulp at any x.
__device__ __forceinline__ float log(float x) { return logf(x); }
__device__ __forceinline__ double log(double x) { return ::log(x); }
}  // namespace precise

// @helper precise.tanh
namespace precise {
// tanh(x): 2 ulp at any x.
__device__ __forceinline__ float tanh(float x) { return tanhf(x); }
__device__ __forceinline__ double tanh(double x) { return ::tanh(x); }
}  // namespace precise

// @end

}  // namespace v1
}  // namespace tile2cu
