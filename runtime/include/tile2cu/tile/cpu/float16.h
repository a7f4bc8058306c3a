// Reference conversions between the 16-bit float formats and the arithmetic types, bit by bit.
// Every conversion rounds once: toward zero, or in the direction of the host's own arithmetic. It
// is to nearest even unless std::fesetround has changed it.
#pragma once

#include <bit>
#include <cfenv>
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

// Which of its two neighbours in a format a number becomes.
enum class Rounding { kNearest, kTowardZero, kAwayFromZero };

// As the host's own arithmetic rounds a number of this sign (std::fesetround): to nearest by
// default, and where the compiler computes it.
constexpr Rounding hostRounding(bool negative) {
  if consteval {
    return Rounding::kNearest;
  } else {
    const int direction = std::fegetround();
    if (direction == FE_TONEAREST) return Rounding::kNearest;
    const bool away = direction == (negative ? FE_DOWNWARD : FE_UPWARD);
    return away ? Rounding::kAwayFromZero : Rounding::kTowardZero;
  }
}

constexpr Rounding roundingOf(const Parts& p, bool toward_zero) {
  return toward_zero ? Rounding::kTowardZero : hostRounding(p.negative);
}

// Whether kept + rest / 2^drop is rounded to kept + 1; rest is not 0.
constexpr bool roundsUp(Rounding rounding, std::uint64_t kept, std::uint64_t rest, int drop) {
  if (rounding != Rounding::kNearest) return rounding == Rounding::kAwayFromZero;
  if (drop > 64) return false;
  const std::uint64_t half = 1ull << (drop - 1);
  return rest > half || (rest == half && (kept & 1) != 0);
}

// The magnitude of a finite number rounded to F: its bits, as if the exponent had no upper limit.
template <Format F>
constexpr std::uint64_t roundTo(const Parts& p, bool toward_zero) {
  const std::uint64_t significand = p.significand;
  if (significand == 0) return 0;
  const int top =
      63 - std::countl_zero(significand);         // the value is in [1, 2) * 2^(top + p.exponent)
  int unit = top + p.exponent - F.fraction_bits;  // log2 of the last bit kept
  const int lowest = 1 - F.bias() - F.fraction_bits;  // of subnormal numbers
  if (unit < lowest) unit = lowest;
  const int drop = unit - p.exponent;
  std::uint64_t kept;
  if (drop <= 0) {
    kept = significand << -drop;
  } else {
    kept = drop < 64 ? significand >> drop : 0;
    const std::uint64_t rest = drop < 64 ? significand & ((1ull << drop) - 1) : significand;
    // An exact number, as most are, does not ask for the direction.
    if (rest != 0 && roundsUp(roundingOf(p, toward_zero), kept, rest, drop)) ++kept;
  }
  // The leading bit of a normal number in `kept` is added to the exponent field, and so is a carry
  // out of the fraction.
  return (static_cast<std::uint64_t>(unit - lowest) << F.fraction_bits) + kept;
}

// Converts any integer, float or double. Overflow returns infinity, or the largest finite number if
// rounded toward zero; NaN returns the canonical 0x7fff, as on the GPU.
template <Format F, class T>
constexpr std::uint16_t encode(T x, bool toward_zero = false) {
  const Parts p = partsOf(x);
  if (p.is_nan) return 0x7fff;
  std::uint64_t bits = F.infinity();
  if (!p.is_infinite) {
    bits = roundTo<F>(p, toward_zero);
    if (bits >= F.infinity())
      bits = F.infinity() - (roundingOf(p, toward_zero) == Rounding::kTowardZero ? 1 : 0);
  }
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
