// __nv_fp8_e4m3 and __nv_fp8_e5m2 without CUDA's headers: 8 bits, with conversions only.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "cuda.h"
#include "float16.h"

namespace emulate {

// An 8-bit format with MANTISSA stored bits; LARGEST is the bit pattern of its largest number.
template <int MANTISSA, int LARGEST>
struct float8_format {
  static constexpr int BIAS = (1 << (6 - MANTISSA)) - 1;

  static float decode(std::uint8_t bits) {
    const int rest = bits & 0x7f, exponent = rest >> MANTISSA;
    if (rest > LARGEST)
      return rest == LARGEST + 1 && rest != 0x7f ? std::copysign(INFINITY, sign(bits)) : NAN;
    const int steps = exponent == 0 ? rest : (rest & ((1 << MANTISSA) - 1)) + (1 << MANTISSA);
    return sign(bits) * std::ldexp(float(steps), std::max(exponent, 1) - BIAS - MANTISSA);
  }

  // Rounds to nearest even; values that are too large become the largest number.
  static std::uint8_t encode(double x) {
    const std::uint8_t sign = std::signbit(x) ? 0x80 : 0;
    const double magnitude = std::fabs(x);
    if (std::isnan(x)) return 0x7f;
    if (magnitude >= decode(LARGEST)) return sign | LARGEST;
    if (magnitude == 0) return sign;
    const int exponent = std::max(std::ilogb(magnitude), 1 - BIAS);
    const int steps = int(std::nearbyint(std::ldexp(magnitude, MANTISSA - exponent)));
    return sign | (steps + ((exponent + BIAS - 1) << MANTISSA));  // a carry increments the exponent
  }

 private:
  static float sign(std::uint8_t bits) { return bits & 0x80 ? -1.0f : 1.0f; }
};

}  // namespace emulate

#define TILE2CU_FLOAT8(NAME, MANTISSA, LARGEST)                            \
  struct alignas(1) NAME {                                                 \
    using format = emulate::float8_format<MANTISSA, LARGEST>;              \
    NAME() = default;                                                      \
    template <class A, std::enable_if_t<std::is_arithmetic_v<A>, int> = 0> \
    explicit NAME(A x) : __x(format::encode(double(x))) {}                 \
    explicit operator float() const { return format::decode(__x); }        \
    std::uint8_t __x;                                                      \
  };
TILE2CU_FLOAT8(__nv_fp8_e4m3, 3, 0x7e)
TILE2CU_FLOAT8(__nv_fp8_e5m2, 2, 0x7b)
#undef TILE2CU_FLOAT8
