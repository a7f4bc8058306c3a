// Element-wise operations that have no operator: selection, extremes, conversions, map.
#pragma once

#include "operators.h"

namespace tl {

namespace detail {

// clang-format off
template <class A, class B, class C> using Unified3 = Unified<Unified<A, B>, C>;
template <class C, class A, class B>
concept Selects = isBool<ElementOf<C>> && NotVoid<Unified<A, B>> && Fits<C, Unified<A, B>>;
template <class C, class A, class B>
using Selected = BothWith<Common<A, B>, C, Unified<A, B>>;
template <class A, class B> concept Comparable = Numeric<A> && Numeric<B> && NotVoid<Unified<A, B>>;
// A conversion from element type F to T, neither of which is a pointer; then one to a float, which
// may round.
template <class T, class F> concept Casts = isNumber<T> && isNumber<F>;
template <class T, class F>
concept Rounds = Casts<T, F> && (isFloating<T> || isFloat8<T>);
template <class T, class F>
concept Bitcasts = isElement<T> && isElement<F> && sizeof(T) == sizeof(F) && !isBool<T> &&
                   !isBool<F>;
template <class... O> inline constexpr bool keepsNan = hasOption<propagate_nan_t, O...>;
// clang-format on

// The type in which fma, pow and similar functions compute: all operands are promoted to it, and at
// least one of the first two must be floating-point.
template <class A, class B, class... C>
struct FloatPromotion {
  static constexpr bool kOk = NotVoid<Arith<A, B>> && (Floating<A> || Floating<B>);
  using type = Arith<A, B>;
};
template <class A, class B, class C>
struct FloatPromotion<A, B, C> : FloatPromotion<Arith<A, B>, C> {};

}  // namespace detail

// where(c, a, b): a where c is true, else b. Equal types are kept, different ones are promoted as
// in a + b; a and b may be pointers of one type.
template <class C, class A, class B>
  requires detail::Selects<C, A, B>
TL_OP("where")
detail::Selected<C, A, B> where(const C& condition, const A& a, const B& b)
    TL_CPU(return cpu::where<detail::Selected<C, A, B>>(condition, a, b););
template <class C, class A, class B>
  requires((detail::isTile<C> || detail::isTile<A> || detail::isTile<B>) &&
           !detail::Selects<C, A, B>)
TL_REJECT(
    "where(c, a, b): c must be bool, a and b numbers (or of one pointer type), and the shapes must "
    "broadcast")
A where(const C& condition, const A& a, const B& b);

// The smaller or the larger value. NaN is ignored unless `propagate_nan`; -0 is smaller than +0.
#define TL_EXTREME(LONG, SHORT)                                                       \
  template <class A, class B, class... O>                                             \
    requires(detail::Comparable<A, B> && (__is_same(O, propagate_nan_t) && ...))      \
  TL_OP(#LONG)                                                                        \
  detail::Unified<A, B> LONG(const A& a, const B& b, O...)                            \
      TL_CPU(return cpu::LONG<detail::Unified<A, B>>(detail::keepsNan<O...>, a, b);); \
  template <class A, class B, class... O>                                             \
    requires(detail::Comparable<A, B> && (__is_same(O, propagate_nan_t) && ...))      \
  TL_OP(#LONG)                                                                        \
  detail::Unified<A, B> SHORT(const A& a, const B& b, O...)                           \
      TL_CPU(return cpu::LONG<detail::Unified<A, B>>(detail::keepsNan<O...>, a, b);); \
  template <class A, class B, class... O>                                             \
    requires(detail::Numeric<A> && detail::Numeric<B> && !detail::Fits<A, B>)         \
  TL_REJECT("the shapes of the operands do not broadcast")                            \
  A LONG(const A& a, const B& b, O...);                                               \
  template <class A, class B, class... O>                                             \
    requires(detail::Numeric<A> && detail::Numeric<B> && !detail::Fits<A, B>)         \
  TL_REJECT("the shapes of the operands do not broadcast")                            \
  A SHORT(const A& a, const B& b, O...);
TL_EXTREME(minimum, min)
TL_EXTREME(maximum, max)
#undef TL_EXTREME

// minimum(maximum(x, low), high).
template <class X, class L, class H, class... O>
  requires(detail::Comparable<X, L> && detail::Comparable<detail::Unified<X, L>, H> &&
           (__is_same(O, propagate_nan_t) && ...))
TL_OP("clamp")
detail::Unified3<X, L, H> clamp(const X& x, const L& low, const H& high, O... option)
    TL_CPU(return minimum(maximum(x, low, option...), high, option...););

// a * b + c, rounded once (16-bit types: the float fma, then rounded).
template <class A, class B, class C>
  requires detail::FloatPromotion<A, B, C>::kOk
TL_OP("fma")
typename detail::FloatPromotion<A, B, C>::type fma(A a, B b, C c)
    TL_CPU(return cpu::fma<typename detail::FloatPromotion<A, B, C>::type>(a, b, c););

// The absolute value, of the same type.
template <class X>
  requires detail::Numeric<X>
TL_OP("abs")
detail::WithElement<detail::ElementOf<X>, X> abs(const X& x)
    TL_CPU(return cpu::abs<detail::WithElement<detail::ElementOf<X>, X>>(x););

namespace detail {
template <class A, class B, class R = Rem<A, B>>
struct UmulhiResult : Conditional<sizeof(ElementOf<R>) == 8, WithElement<std::uint64_t, R>,
                                  WithElement<std::uint32_t, R>> {};
template <class A, class B>
struct UmulhiResult<A, B, void> : Nothing {};
template <class A, class B>
using Umulhi = typename UmulhiResult<A, B>::type;
}  // namespace detail

// The upper half of the unsigned product: uint32, or uint64 if an operand has 64 bits.
template <class A, class B>
  requires detail::NotVoid<detail::Umulhi<A, B>>
TL_OP("umulhi")
detail::Umulhi<A, B> umulhi(const A& a, const B& b)
    TL_CPU(return cpu::umulhi<detail::Umulhi<A, B>>(a, b););

// The upper half of the product in the promoted type: int, unsigned, int64 or uint64.
template <class A, class B>
  requires detail::NotVoid<detail::Rem<A, B>>
TL_OP("mulhi")
detail::Rem<A, B> mulhi(const A& a, const B& b) TL_CPU(return cpu::mulhi<detail::Rem<A, B>>(a, b););
template <class A, class B>
  requires((detail::isTile<A> || detail::isTile<B>) && !detail::NotVoid<detail::Rem<A, B>>)
TL_REJECT("mulhi takes integers whose shapes broadcast")
A mulhi(const A& a, const B& b);

// x as T, rounded at most once. A conversion to a float rounds to nearest even, or toward zero with
// rounding::rz; from float to integer it truncates (out of range: undefined); to bool it is x != 0.
template <class T, class X>
  requires detail::Casts<T, detail::ElementOf<X>>
TL_OP("cast")
detail::WithElement<T, X> cast(const X& x)
    TL_CPU(return cpu::convert<detail::WithElement<T, X>>(x););
template <class T, class X>
  requires detail::Rounds<T, detail::ElementOf<X>>
TL_OP("cast")
detail::WithElement<T, X> cast(const X& x, rounding mode)
    TL_CPU(return cpu::convertRounded<detail::WithElement<T, X>>(x, mode == rounding::rz););
template <class T, class X, class... R>
  requires(detail::isTile<X> && !detail::Casts<T, detail::ElementOf<X>>)
TL_REJECT("cast<T> converts between bool, integers and floats; see bitcast<T> for pointers")
X cast(const X& x, R...);

// The same bits as T, which has the same size. bool is not allowed: its bits are not defined.
template <class T, class X>
  requires detail::Bitcasts<T, detail::ElementOf<X>>
TL_OP("bitcast")
detail::WithElement<T, X> bitcast(const X& x)
    TL_CPU(return cpu::bitcast<detail::WithElement<T, X>>(x););
template <class T, class X>
  requires(!detail::Bitcasts<T, detail::ElementOf<X>>)
TL_REJECT("bitcast<T> needs two element types of one size, neither of them bool")
X bitcast(const X& x);

// ---- map(f, tiles...): f per element, tiles and scalars broadcast.

namespace detail {
template <class... X>
inline constexpr Dims allDims = {};
template <class A, class... X>
inline constexpr Dims allDims<A, X...> = broadcastDims(dimsOf<A>, allDims<X...>);
template <class F, class... X>
concept Maps =
    (Numeric<X> && ...) && (isTile<X> || ...) && allDims<X...>.rank > 0 &&
    requires(F f) { requires isElement<PlainT<decltype(f(sample<ElementOf<X>>()...))>>; };
template <class F, class... X>
using Mapped = Make<PlainT<decltype(sample<F>()(sample<ElementOf<X>>()...))>, allDims<X...>>;
}  // namespace detail

// In tile2cu, the body only names the specialization of f that the element types choose.
template <class F, class... X>
  requires detail::Maps<F, X...>
TL_OP("map")
detail::Mapped<F, X...> map(F f, [[maybe_unused]] const X&... tiles) {
#if defined(__TILE2CU__)
  f(detail::sample<detail::ElementOf<X>>()...);
  __builtin_unreachable();
#else
  return cpu::zip<detail::Mapped<F, X...>>(f, tiles...);
#endif
}
template <class F, class... X>
  requires((detail::isTile<X> || ...) && !detail::Maps<F, X...>)
TL_REJECT(
    "map(f, tiles...): f must take one element of each tile and return one, and the shapes must "
    "broadcast")
int map(F f, const X&... tiles);

}  // namespace tl
