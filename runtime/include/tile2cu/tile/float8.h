// float8_e4m3 and float8_e5m2: 8-bit floats, for storage and as operands of dot. They have no
// arithmetic and convert only explicitly: float(x), cast<float>(x). Narrowing rounds to nearest
// even and saturates: values out of range, infinities too, become the largest finite number (448
// and 57344); NaN stays NaN.
#pragma once

#include "float16.h"

#if !defined(__TILE2CU__)
#include "cpu/float8.h"
#endif

namespace tl {

#define TL_FLOAT8(NAME, FORMAT)                                                                   \
  struct NAME {                                                                                   \
    NAME() = default;                                                                             \
    template <class T>                                                                            \
      requires detail::isArithmetic<T>                                                            \
    TL_OP("cast")                                                                                 \
    explicit TL_CONSTEXPR NAME(T x) TL_CPU(bits = cpu::encode8<cpu::FORMAT>(x););                 \
    TL_OP("cast")                                                                                 \
    explicit TL_CONSTEXPR operator float() const TL_CPU(return cpu::decode8<cpu::FORMAT>(bits);); \
                                                                                                  \
    std::uint8_t bits;                                                                            \
  };
TL_FLOAT8(float8_e4m3, kE4m3Format)  // sign, 4 bits of exponent, 3 of fraction; no infinity
TL_FLOAT8(float8_e5m2, kE5m2Format)  // sign, 5 bits of exponent, 2 of fraction: half a float16
#undef TL_FLOAT8

}  // namespace tl
