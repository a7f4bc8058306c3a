// __half and __nv_bfloat16 without CUDA's headers: 16 bits, computed in float, rounded once per
// operation.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda.h"

namespace emulate {

// A binary floating-point format of 16 bits with MANTISSA stored bits.
template <int MANTISSA>
struct float16_format {
  static constexpr int EXPONENT = 15 - MANTISSA;
  static constexpr int BIAS = (1 << (EXPONENT - 1)) - 1;
  static constexpr std::uint16_t INFINITE = ((1 << EXPONENT) - 1) << MANTISSA;
  static constexpr std::uint16_t QUIET_NAN = 0x7fff;

  static float decode(std::uint16_t bits) {
    const std::uint32_t sign = std::uint32_t(bits & 0x8000) << 16, rest = bits & 0x7fff;
    float magnitude;
    if (rest >= INFINITE) {
      magnitude = rest == INFINITE ? INFINITY : NAN;
    } else if (rest >> MANTISSA == 0) {
      magnitude = std::ldexp(float(rest), 1 - BIAS - MANTISSA);
    } else {
      const std::uint32_t word = (rest << (23 - MANTISSA)) + (std::uint32_t(127 - BIAS) << 23);
      std::memcpy(&magnitude, &word, 4);
    }
    std::uint32_t word;
    std::memcpy(&word, &magnitude, 4);
    word |= sign;
    std::memcpy(&magnitude, &word, 4);
    return magnitude;
  }

  // Rounds to nearest even, or toward zero.
  static std::uint16_t encode(double x, bool toward_zero = false) {
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    const double magnitude = std::fabs(x);
    if (std::isnan(x)) return QUIET_NAN;
    if (std::isinf(x)) return sign | INFINITE;
    if (magnitude == 0) return sign;
    std::int64_t word;
    std::memcpy(&word, &magnitude, 8);
    int exponent = int(word >> 52) - 1023;
    if (exponent < 1 - BIAS) exponent = 1 - BIAS;  // subnormal: the step does not shrink further
    if (exponent > BIAS) return sign | (toward_zero ? INFINITE - 1 : INFINITE);
    // An exact scaling that moves the kept bits in front of the point, so that rounding is to an
    // integer.
    std::int64_t scale_bits = std::int64_t(1023 + MANTISSA - exponent) << 52;
    double scale;
    std::memcpy(&scale, &scale_bits, 8);
    const double steps = magnitude * scale;
    const int kept = int(toward_zero ? std::trunc(steps) : std::nearbyint(steps));
    const int bits = kept + ((exponent - (1 - BIAS)) << MANTISSA);  // a carry goes to the exponent
    return sign | std::uint16_t(bits < INFINITE ? bits : toward_zero ? INFINITE - 1 : INFINITE);
  }

  // An integer as a double that rounds like the integer itself: bits beyond 53 become one sticky
  // bit.
  template <class I>
  static double sticky(I x) {
    const bool negative = x < 0;
    std::uint64_t magnitude = negative ? 0 - std::uint64_t(x) : std::uint64_t(x);
    int shift = 0;
    if (magnitude >> 53) {
      magnitude = magnitude >> 11 | ((magnitude & 0x7ff) != 0);
      shift = 11;
    }
    const double value = std::ldexp(double(magnitude), shift);
    return negative ? -value : value;
  }
};

// x * y + z rounded to odd, so that a second rounding to fewer bits gives the correctly rounded
// result.
inline double fma_to_odd(double x, double y, double z) {
  const double product = x * y;  // exact for 16-bit factors
  const double sum = product + z;
  const double z_part = sum - product;
  const double error = (product - (sum - z_part)) + (z - z_part);
  std::int64_t word;
  std::memcpy(&word, &sum, 8);
  if (error != 0 && (word & 1) == 0 && std::isfinite(sum)) {
    word += (error > 0) == (sum > 0) ? 1 : -1;
  }
  double odd;
  std::memcpy(&odd, &word, 8);
  return odd;
}

}  // namespace emulate

#define TILE2CU_FLOAT16(NAME, MANTISSA)                                                 \
  struct alignas(2) NAME {                                                              \
    using format = emulate::float16_format<MANTISSA>;                                   \
    NAME() = default;                                                                   \
    template <class A, std::enable_if_t<std::is_arithmetic_v<A>, int> = 0>              \
    NAME(A x) {                                                                         \
      if constexpr (std::is_floating_point_v<A>) {                                      \
        bits = format::encode(x);                                                       \
      } else {                                                                          \
        bits = format::encode(format::sticky(x));                                       \
      }                                                                                 \
    }                                                                                   \
    operator float() const { return format::decode(bits); }                             \
    static NAME from_bits(std::uint16_t word) {                                         \
      NAME x;                                                                           \
      x.bits = word;                                                                    \
      return x;                                                                         \
    }                                                                                   \
    std::uint16_t bits;                                                                 \
  };                                                                                    \
  __forceinline__ NAME operator+(NAME a, NAME b) { return float(a) + float(b); }        \
  __forceinline__ NAME operator-(NAME a, NAME b) { return float(a) - float(b); }        \
  __forceinline__ NAME operator*(NAME a, NAME b) { return float(a) * float(b); }        \
  __forceinline__ NAME operator/(NAME a, NAME b) { return float(a) / float(b); }        \
  __forceinline__ NAME operator-(NAME a) { return NAME::from_bits(a.bits ^ 0x8000); }   \
  __forceinline__ NAME operator+(NAME a) { return a; }                                  \
  __forceinline__ NAME& operator+=(NAME& a, NAME b) { return a = a + b; }               \
  __forceinline__ NAME& operator-=(NAME& a, NAME b) { return a = a - b; }               \
  __forceinline__ NAME& operator*=(NAME& a, NAME b) { return a = a * b; }               \
  __forceinline__ NAME& operator/=(NAME& a, NAME b) { return a = a / b; }               \
  inline bool operator==(NAME a, NAME b) { return float(a) == float(b); }               \
  inline bool operator!=(NAME a, NAME b) { return float(a) != float(b); }               \
  inline bool operator<(NAME a, NAME b) { return float(a) < float(b); }                 \
  inline bool operator<=(NAME a, NAME b) { return float(a) <= float(b); }               \
  inline bool operator>(NAME a, NAME b) { return float(a) > float(b); }                 \
  inline bool operator>=(NAME a, NAME b) { return float(a) >= float(b); }               \
  __forceinline__ NAME __hadd(NAME a, NAME b) { return a + b; }                         \
  __forceinline__ NAME __hsub(NAME a, NAME b) { return a - b; }                         \
  __forceinline__ NAME __hmul(NAME a, NAME b) { return a * b; }                         \
  __forceinline__ NAME __hadd_rn(NAME a, NAME b) { return a + b; }                      \
  __forceinline__ NAME __hsub_rn(NAME a, NAME b) { return a - b; }                      \
  __forceinline__ NAME __hmul_rn(NAME a, NAME b) { return a * b; }                      \
  __forceinline__ NAME __hdiv(NAME a, NAME b) { return a / b; }                         \
  __forceinline__ NAME __hneg(NAME a) { return -a; }                                    \
  __forceinline__ NAME __habs(NAME a) { return NAME::from_bits(a.bits & 0x7fff); }      \
  __forceinline__ NAME __hmax(NAME a, NAME b) { return std::fmax(float(a), float(b)); } \
  __forceinline__ NAME __hmin(NAME a, NAME b) { return std::fmin(float(a), float(b)); } \
  inline bool __hisnan(NAME a) { return std::isnan(float(a)); }                         \
  __forceinline__ NAME __hfma(NAME a, NAME b, NAME c) {                                 \
    return emulate::fma_to_odd(float(a), float(b), float(c));                           \
  }

TILE2CU_FLOAT16(__half, 10)
TILE2CU_FLOAT16(__nv_bfloat16, 7)
#undef TILE2CU_FLOAT16

using half = __half;
using nv_bfloat16 = __nv_bfloat16;

inline float __half2float(__half x) { return float(x); }
inline __half __float2half(float x) { return x; }
inline __half __float2half_rn(float x) { return x; }
inline __half __float2half_rz(float x) {
  return __half::from_bits(__half::format::encode(x, true));
}
inline __half __double2half(double x) { return x; }
inline __half __int2half_rn(int x) { return double(x); }
inline __half __uint2half_rn(unsigned x) { return double(x); }
inline __half __ll2half_rn(long long x) { return x; }
inline __half __ull2half_rn(unsigned long long x) { return x; }
inline unsigned short __half_as_ushort(__half x) { return x.bits; }
inline __half __ushort_as_half(unsigned short bits) { return __half::from_bits(bits); }

inline float __bfloat162float(__nv_bfloat16 x) { return float(x); }
inline __nv_bfloat16 __float2bfloat16(float x) { return x; }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
inline __nv_bfloat16 __float2bfloat16_rz(float x) {
  return __nv_bfloat16::from_bits(__nv_bfloat16::format::encode(x, true));
}
inline __nv_bfloat16 __double2bfloat16(double x) { return x; }
inline __nv_bfloat16 __int2bfloat16_rn(int x) { return double(x); }
inline __nv_bfloat16 __uint2bfloat16_rn(unsigned x) { return double(x); }
inline __nv_bfloat16 __ll2bfloat16_rn(long long x) { return x; }
inline __nv_bfloat16 __ull2bfloat16_rn(unsigned long long x) { return x; }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __nv_bfloat16::from_bits(bits);
}
