// Reference conversions of the 8-bit float formats: those of CUDA's __nv_fp8_e4m3 and __nv_fp8_e5m2
// (cvt.rn.satfinite), and the same toward zero.
#pragma once

#include "float16.h"

namespace tl::cpu {

inline constexpr Format kE4m3Format = {4, 3};
inline constexpr Format kE5m2Format = {5, 2};

template <class T>
inline constexpr Format kFloat8Format = kE4m3Format;
template <>
inline constexpr Format kFloat8Format<float8_e5m2> = kE5m2Format;

inline constexpr std::uint8_t kFloat8Nan = 0x7f;

// The largest finite number. All bit patterns of e4m3 but one (apart from the sign) are numbers;
// e5m2 has IEEE's infinity.
template <Format F>
constexpr std::uint64_t largest8() {
  return F.exponent_bits == 4 ? kFloat8Nan - 1 : F.infinity() - 1;
}

// Converts any arithmetic type; NaN returns the canonical 0x7f, as on the GPU.
template <Format F, class T>
constexpr std::uint8_t encode8(T x, bool toward_zero = false) {
  const Parts p = partsOf(x);
  if (p.is_nan) return kFloat8Nan;
  std::uint64_t bits = largest8<F>();
  if (!p.is_infinite) {
    const std::uint64_t rounded = roundTo<F>(p, toward_zero);
    if (rounded < bits) bits = rounded;
  }
  return static_cast<std::uint8_t>((p.negative ? 0x80u : 0u) | bits);
}

// Exact. Both formats are float16 with a shorter fraction. The exponent bias of e4m3 is smaller by
// 8.
template <Format F>
constexpr float decode8(std::uint8_t bits) {
  constexpr bool kIsE4m3 = F.exponent_bits == 4;
  const std::uint32_t sign = (bits & 0x80u) << 8;
  const std::uint32_t magnitude = bits & 0x7fu;
  if (kIsE4m3 && magnitude == kFloat8Nan) return decode<kHalfFormat>(0x7fff);
  const std::uint32_t half = sign | magnitude << (10 - F.fraction_bits);
  return decode<kHalfFormat>(static_cast<std::uint16_t>(half)) * (kIsE4m3 ? 256.0f : 1.0f);
}

}  // namespace tl::cpu
