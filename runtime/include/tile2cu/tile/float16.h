// float16 (IEEE binary16) and bfloat16: storage types whose arithmetic is done in float and rounded
// once per operation. They convert to float implicitly; narrowing is explicit: float16(x),
// cast<float16>(x). Operators are those of tiles (operators.h): float16 with float16 or with an
// integer is float16, with bfloat16 or float it is float, with double it is double.
#pragma once

#include "config.h"
#include "types.h"

#if !defined(__TILE2CU__)
#include "cpu/float16.h"
#endif

namespace tl {

struct float16 {
  float16() = default;
  // Rounds once, to nearest even, from any arithmetic type.
  template <class T>
    requires(detail::isInteger<T> || detail::kind<T> == detail::kFloat)
  TL_OP("cast")
  explicit TL_CONSTEXPR float16(T x) TL_CPU(bits = cpu::encode<cpu::kHalfFormat>(x););
  TL_OP("cast") explicit TL_CONSTEXPR float16(bfloat16 x);
  template <class T>
  TL_REJECT("narrowing is explicit: write x = float16(y)")
  float16& operator=(const T& y);
  TL_OP("cast")
  TL_CONSTEXPR operator float() const TL_CPU(return cpu::decode<cpu::kHalfFormat>(bits););

  std::uint16_t bits;
};

struct bfloat16 {
  bfloat16() = default;
  template <class T>
    requires(detail::isInteger<T> || detail::kind<T> == detail::kFloat)
  TL_OP("cast")
  explicit TL_CONSTEXPR bfloat16(T x) TL_CPU(bits = cpu::encode<cpu::kBrainFormat>(x););
  TL_OP("cast") explicit TL_CONSTEXPR bfloat16(float16 x) TL_CPU(*this = bfloat16(float(x)););
  template <class T>
  TL_REJECT("narrowing is explicit: write x = bfloat16(y)")
  bfloat16& operator=(const T& y);
  TL_OP("cast")
  TL_CONSTEXPR operator float() const TL_CPU(return cpu::decode<cpu::kBrainFormat>(bits););

  std::uint16_t bits;
};

#if !defined(__TILE2CU__)
constexpr float16::float16(bfloat16 x) : float16(float(x)) {}
#endif

}  // namespace tl
