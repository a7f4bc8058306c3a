// Reference conversions between the 16-bit float formats and the arithmetic types, bit by bit.
// Every conversion rounds once, to nearest even or toward zero.
#pragma once

#include <bit>
#include <cstdint>

#include "../types.h"

namespace tl::cpu {

// A binary format of 16 bits: sign, exponent, fraction.
struct Format {
  int exponent_bits;
  int fraction_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint32_t infinity() const { return ((1u << exponent_bits) - 1) << fraction_bits; }
};

inline constexpr Format kHalfFormat = {5, 10};
inline constexpr Format kBrainFormat = {8, 7};

// significand * 2^exponent rounded to F: its bits without a sign, as if the exponent had no upper
// limit.
template <Format F>
constexpr std::uint64_t roundTo(std::uint64_t significand, int exponent, bool toward_zero) {
  if (significand == 0) return 0;
  const int top =
      63 - std::countl_zero(significand);             // the value is in [1, 2) * 2^(top + exponent)
  int unit = top + exponent - F.fraction_bits;        // log2 of the last bit kept
  const int lowest = 1 - F.bias() - F.fraction_bits;  // of subnormal numbers
  if (unit < lowest) unit = lowest;
  const int drop = unit - exponent;
  std::uint64_t kept;
  if (drop <= 0) {
    kept = significand << -drop;
  } else if (drop > 64) {
    kept = 0;
  } else {
    kept = drop == 64 ? 0 : significand >> drop;
    const std::uint64_t rest = drop == 64 ? significand : significand & ((1ull << drop) - 1);
    const std::uint64_t half = 1ull << (drop - 1);
    if (!toward_zero && (rest > half || (rest == half && (kept & 1) != 0))) ++kept;
  }
  // The leading bit of a normal number in `kept` is added to the exponent field, and so is a carry
  // out of the fraction.
  return (static_cast<std::uint64_t>(unit - lowest) << F.fraction_bits) + kept;
}

// A number in parts: significand * 2^exponent with its sign, or an infinity or NaN.
struct Parts {
  bool negative = false;
  bool is_nan = false;
  bool is_infinite = false;
  std::uint64_t significand = 0;
  int exponent = 0;
};

template <class T>
constexpr Parts partsOf(T x) {
  Parts p;
  if constexpr (detail::isInteger<T>) {
    const auto wide = static_cast<std::uint64_t>(x);
    p.negative = x < T(0);
    p.significand = p.negative ? 0 - wide : wide;
  } else {
    const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(x));
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((1ull << 52) - 1);
    p.negative = (bits >> 63) != 0;
    p.is_nan = exponent == 0x7ff && fraction != 0;
    p.is_infinite = exponent == 0x7ff && fraction == 0;
    p.significand = exponent == 0 ? fraction : fraction | 1ull << 52;
    p.exponent = exponent == 0 ? -1074 : exponent - 1075;
  }
  return p;
}

// Converts any integer, float or double. Overflow returns infinity, or the largest finite number if
// rounded toward zero; NaN returns the canonical 0x7fff, as on the GPU.
template <Format F, class T>
constexpr std::uint16_t encode(T x, bool toward_zero = false) {
  const Parts p = partsOf(x);
  if (p.is_nan) return 0x7fff;
  const std::uint64_t largest = toward_zero ? F.infinity() - 1 : F.infinity();
  std::uint64_t bits =
      p.is_infinite ? F.infinity() : roundTo<F>(p.significand, p.exponent, toward_zero);
  if (!p.is_infinite && bits > largest) bits = largest;
  return static_cast<std::uint16_t>((p.negative ? 0x8000u : 0u) | bits);
}

// Exact.
template <Format F>
constexpr float decode(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t magnitude = bits & 0x7fffu;
  if constexpr (F.exponent_bits == 8) {
    return std::bit_cast<float>(sign | magnitude << 16);
  } else {
    const std::uint32_t exponent = magnitude >> F.fraction_bits;
    const std::uint32_t fraction = magnitude & ((1u << F.fraction_bits) - 1);
    const int shift = 23 - F.fraction_bits;
    if (magnitude >= F.infinity())
      return std::bit_cast<float>(sign | 0x7f800000u | fraction << shift);
    if (exponent != 0) {
      const auto rebiased = exponent + static_cast<std::uint32_t>(127 - F.bias());
      return std::bit_cast<float>(sign | rebiased << 23 | fraction << shift);
    }
    const float value = static_cast<float>(fraction) * 0x1p-24f;  // subnormal: exact in float
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
  }
}

}  // namespace tl::cpu
