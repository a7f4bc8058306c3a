// The bit patterns of 16-bit and 8-bit floats, written apart from the runtime's own conversions: the test data of both
// executions come from here. `mantissa` names the format: its bits of fraction (float16 10, bfloat16 7, e4m3 3, e5m2 2).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace emulate_test {

// To nearest even; double holds every intermediate value exactly enough for the data here.
inline std::uint16_t to_16_bits(double value, int mantissa) {
  if (mantissa == 7) {
    const auto bits = std::bit_cast<std::uint32_t>(float(value));
    if (std::isnan(value)) return 0x7fff;
    return std::uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return 0x7fff;
  if (magnitude >= 65520) return sign | 0x7c00;
  if (magnitude == 0) return sign;  // of no exponent, for frexp
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int step = std::max(exponent - 11, -24);
  const auto units = std::uint32_t(std::nearbyint(std::ldexp(magnitude, -step)));
  return std::uint16_t(sign | (units + (std::uint32_t(step + 24) << 10)));
}

inline double from_16_bits(std::uint16_t bits, int mantissa) {
  if (mantissa == 7) return std::bit_cast<float>(std::uint32_t(bits) << 16);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                     : exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(fraction + 1024, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

inline double from_8_bits(int bits, int mantissa) {
  const int exponent = bits >> mantissa & (127 >> mantissa),
            fraction = bits & ((1 << mantissa) - 1);
  const int bias = (1 << (6 - mantissa)) - 1;
  double magnitude = exponent == 0
                         ? std::ldexp(fraction, 1 - bias - mantissa)
                         : std::ldexp(fraction + (1 << mantissa), exponent - bias - mantissa);
  if ((bits & 0x7f) == 0x7f) magnitude = NAN;
  if (mantissa == 2 && exponent == 31) magnitude = fraction != 0 ? NAN : INFINITY;
  return bits & 0x80 ? -magnitude : magnitude;
}

// The magnitudes of the finite patterns, ascending.
inline std::vector<double> magnitudes_of_8_bits(int mantissa) {
  std::vector<double> magnitudes;
  for (int bits = 0; bits < (mantissa == 2 ? 0x7c : 0x7f); ++bits)
    magnitudes.push_back(from_8_bits(bits, mantissa));
  return magnitudes;
}

// The nearest finite pattern, of two the lower one. e4m3 has no infinity: NaN.
inline std::uint8_t to_8_bits(double value, int mantissa) {
  if (std::isnan(value)) return 0x7f;
  const int sign = std::signbit(value) ? 0x80 : 0;
  if (std::isinf(value)) return std::uint8_t(sign | (mantissa == 2 ? 0x7c : 0x7f));
  static const auto e4m3 = magnitudes_of_8_bits(3), e5m2 = magnitudes_of_8_bits(2);
  const auto& magnitudes = mantissa == 3 ? e4m3 : e5m2;
  const double magnitude = std::fabs(value);
  const auto above = std::lower_bound(magnitudes.begin(), magnitudes.end(), magnitude);
  auto nearest = int(above - magnitudes.begin());
  if (above == magnitudes.end() ||
      (nearest > 0 && magnitude - magnitudes[nearest - 1] <= *above - magnitude))
    --nearest;
  return std::uint8_t(nearest | sign);
}

}  // namespace emulate_test
