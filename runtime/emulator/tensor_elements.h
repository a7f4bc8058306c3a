// The elements of operands of matrix instructions, decoded exactly.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "tile2cu/emulator/float16.h"
#include "tile2cu/emulator/tensor_core.h"

namespace emulate {

inline float floatOfBits(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, 4);
  return x;
}

// The 4 exponent bits have the bias 7; infinity does not exist, and there is one NaN of each sign.
inline float decodeE4M3(unsigned bits) {
  const int exponent = int(bits >> 3 & 15), mantissa = int(bits & 7);
  if (exponent == 15 && mantissa == 7) return NAN;
  const float magnitude = exponent == 0 ? std::ldexp(float(mantissa), -9)
                                        : std::ldexp(float(8 + mantissa), exponent - 10);
  return bits & 0x80 ? -magnitude : magnitude;
}

inline int bitsOf(mma_element type) {
  switch (type) {
    case mma_element::f64:
      return 64;
    case mma_element::tf32:
      return 32;
    case mma_element::f16:
    case mma_element::bf16:
      return 16;
    case mma_element::s8:
    case mma_element::u8:
    case mma_element::e4m3:
    case mma_element::e5m2:
      return 8;
  }
  return 0;
}

// The element in the lowest bits of `word`; not f64.
template <class T>
T decodeElement(mma_element type, std::uint32_t word) {
  switch (type) {
    case mma_element::f16:
      return T(float16_format<10>::decode(std::uint16_t(word)));
    case mma_element::bf16:
      return T(floatOfBits(word << 16));
    case mma_element::tf32:
      return T(floatOfBits(word & 0xffffe000));
    case mma_element::s8:
      return T(std::int8_t(word));
    case mma_element::u8:
      return T(std::uint8_t(word));
    case mma_element::e4m3:
      return T(decodeE4M3(word & 0xff));
    case mma_element::e5m2:
      return T(float16_format<10>::decode(std::uint16_t(word << 8)));
    case mma_element::f64:
      break;
  }
  return T();
}

// Element `e` of the registers of a lane.
template <class T>
T registerElement(mma_element type, const void* registers, int e) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<const T*>(registers)[e];
  } else {
    const int bits = bitsOf(type), in_register = 32 / bits;
    const std::uint32_t word = static_cast<const std::uint32_t*>(registers)[e / in_register];
    return decodeElement<T>(type, word >> e % in_register * bits);
  }
}

}  // namespace emulate
