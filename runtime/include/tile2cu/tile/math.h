// Float functions of one and two arguments, on tiles and on scalars. The result has the type of the
// argument; the 16-bit types compute in float. Integers are rejected: write cast<float>(x) first.
// These are constrained templates, and those of several arguments take them by value, so that
// together with <cmath> and <math.h> a call on scalars is never ambiguous (functions of those
// headers win if they are not templates, and lose if they are).
#pragma once

#include "arithmetic.h"

#if !defined(__TILE2CU__)
#include "cpu/math.h"
#endif

namespace tl {

#define TL_UNARY(NAME)                                                                     \
  template <class X>                                                                       \
    requires detail::Floating<X>                                                           \
  TL_OP(#NAME)                                                                             \
  X NAME(const X& x) TL_CPU(return cpu::math<X>([](auto v) { return cpu::NAME(v); }, x);); \
  template <class X>                                                                       \
    requires(detail::isTile<X> && !detail::Floating<X>)                                    \
  TL_REJECT(#NAME " takes floats: cast<float>(x) first")                                   \
  X NAME(const X& x);

TL_UNARY(exp)
TL_UNARY(exp2)
TL_UNARY(log)
TL_UNARY(log2)
TL_UNARY(sqrt)     // relative error 2^-23 in fast math
TL_UNARY(sqrt_rn)  // always IEEE
TL_UNARY(rsqrt)
TL_UNARY(sin)
TL_UNARY(cos)
TL_UNARY(tan)
TL_UNARY(tanh)
TL_UNARY(fast_tanh)  // tanh to 2^-11, in one instruction
TL_UNARY(erf)
TL_UNARY(floor)
TL_UNARY(ceil)
TL_UNARY(rint)  // halves to even
TL_UNARY(trunc)
TL_UNARY(round)  // halves away from zero
TL_UNARY(asin)
TL_UNARY(acos)
TL_UNARY(atan)
TL_UNARY(sinh)
TL_UNARY(cosh)
TL_UNARY(asinh)
TL_UNARY(acosh)
TL_UNARY(atanh)
TL_UNARY(exp10)
TL_UNARY(expm1)
TL_UNARY(log10)
TL_UNARY(log1p)
TL_UNARY(cbrt)
TL_UNARY(erfc)
TL_UNARY(erfinv)
TL_UNARY(lgamma)
TL_UNARY(tgamma)
#undef TL_UNARY

#define TL_BINARY(NAME)                                                                            \
  template <class A, class B>                                                                      \
    requires detail::FloatPromotion<A, B>::kOk                                                     \
  TL_OP(#NAME)                                                                                     \
  detail::Arith<A, B> NAME(A a, B b)                                                               \
      TL_CPU(return cpu::math<detail::Arith<A, B>>([](auto x, auto y) { return cpu::NAME(x, y); }, \
                                                   a, b););                                        \
  template <class A, class B>                                                                      \
    requires((detail::isTile<A> || detail::isTile<B>) && !detail::FloatPromotion<A, B>::kOk)       \
  TL_REJECT(#NAME " takes floats (cast<float>(x) first) whose shapes broadcast")                   \
  A NAME(A a, B b);

TL_BINARY(pow)
TL_BINARY(hypot)
TL_BINARY(atan2)
TL_BINARY(copysign)   // the magnitude of a, with the sign of b
TL_BINARY(fmod)       // a less the quotient toward zero times b; it has the sign of a
TL_BINARY(remainder)  // a less the nearest quotient times b
TL_BINARY(div_rn)     // always IEEE
TL_BINARY(fdiv)       // 2 ulp in fast math, as operator /
#undef TL_BINARY
// The next float or double after a, toward b. 16-bit types are computed in float, which has numbers
// between two of theirs.
template <class A, class B>
  requires detail::FloatPromotion<A, B>::kOk &&
           (sizeof(detail::ElementOf<detail::Arith<A, B>>) >= 4)
TL_OP("nextafter")
detail::Arith<A, B> nextafter(A a, B b)
    TL_CPU(return cpu::math<detail::Arith<A, B>>([](auto x,
                                                    auto y) { return cpu::nextafter(x, y); },
                                                 a, b););
template <class A, class B>
  requires((detail::isTile<A> || detail::isTile<B>) &&
           !(detail::FloatPromotion<A, B>::kOk &&
             sizeof(detail::ElementOf<detail::Arith<A, B>>) >= 4))
TL_REJECT("nextafter takes float or double (cast<float>(x) first) whose shapes broadcast")
A nextafter(A a, B b);
// a + b, a - b, a * b and a * b + c of float or double, rounded once: to nearest even, toward zero,
// up or down.
#define TL_ROUNDED(NAME, MODE, DIRECTION)                                                   \
  template <class A, class B>                                                               \
    requires detail::Rounded<A, B>                                                          \
  TL_OP(#NAME "_" #MODE)                                                                    \
  detail::Arith<A, B> NAME##_##MODE(A a, B b)                                               \
      TL_CPU(return cpu::math<detail::Arith<A, B>>(                                         \
                        [](auto x, auto y) { return cpu::NAME(DIRECTION, x, y); }, a, b);); \
  template <class A, class B>                                                               \
    requires((detail::isTile<A> || detail::isTile<B>) && !detail::Rounded<A, B>)            \
  TL_REJECT(#NAME "_" #MODE                                                                 \
                  " takes float or double (cast<float>(x) first) whose shapes broadcast")   \
  A NAME##_##MODE(A a, B b);
#define TL_ROUNDED_FMA(MODE, DIRECTION)                                                           \
  template <class A, class B, class C>                                                            \
    requires detail::Rounded<A, B, C>                                                             \
  TL_OP("fma_" #MODE)                                                                             \
  typename detail::FloatPromotion<A, B, C>::type fma_##MODE(A a, B b, C c) TL_CPU(                \
      return cpu::math<typename detail::FloatPromotion<A, B, C>::type>(                           \
                 [](auto x, auto y, auto z) { return cpu::fma(DIRECTION, x, y, z); }, a, b, c);); \
  template <class A, class B, class C>                                                            \
    requires((detail::isTile<A> || detail::isTile<B> || detail::isTile<C>) &&                     \
             !detail::Rounded<A, B, C>)                                                           \
  TL_REJECT("fma_" #MODE " takes float or double (cast<float>(x) first) whose shapes broadcast")  \
  A fma_##MODE(A a, B b, C c);
#define TL_DIRECTION(MODE, DIRECTION) \
  TL_ROUNDED(add, MODE, DIRECTION)    \
  TL_ROUNDED(mul, MODE, DIRECTION)    \
  TL_ROUNDED_FMA(MODE, DIRECTION)
namespace detail {
template <class... X>
concept Rounded =
    FloatPromotion<X...>::kOk && (sizeof(ElementOf<typename FloatPromotion<X...>::type>) >= 4);
}  // namespace detail
TL_DIRECTION(rn, FE_TONEAREST)
TL_DIRECTION(rz, FE_TOWARDZERO)
TL_DIRECTION(ru, FE_UPWARD)
TL_DIRECTION(rd, FE_DOWNWARD)
#undef TL_DIRECTION
#undef TL_ROUNDED_FMA
#undef TL_ROUNDED

// With glibc's ::fdiv of two doubles, which rounds to float, a call with two doubles is ambiguous
// instead of wrong.
TL_OP("fdiv") TL_INLINE double fdiv(double a, double b) TL_CPU(return cpu::fdiv(a, b););

}  // namespace tl
