// Matmul, and batched matmul.
#pragma once

#include "operators.h"

#if !defined(__TILE2CU__)
#include "cpu/dot.h"
#endif

namespace tl {

namespace detail {

// clang-format off
template <class T> inline constexpr bool isInt8 = isInteger<T> && !isBool<T> && sizeof(T) == 1;
// The element types that can be multiplied, and the type in which the products are accumulated.
template <class T, class U> inline constexpr bool multiplies =
    (isSame<T, U> && isFloating<T>) || (isFloat8<T> && isFloat8<U>) || (isInt8<T> && isInt8<U>);
template <class T> using DotAcc = typename Conditional<
    isInteger<T>, int, typename Conditional<isSame<T, double>, T, float>::type>::type;

template <class S, class R> struct DotShape { using type = NoExtents; };
template <int M, int K, int N> struct DotShape<Extents<M, K>, Extents<K, N>> {
  using type = Extents<M, N>;
};
template <int B, int M, int K, int N> struct DotShape<Extents<B, M, K>, Extents<B, K, N>> {
  using type = Extents<B, M, N>;
};

template <class A, class B> using DotShapeOf = typename DotShape<ShapeOf<A>, ShapeOf<B>>::type;
template <class A, class B> concept TypesMultiply = multiplies<ElementOf<A>, ElementOf<B>>;
template <class A, class B> concept ShapesMultiply = !isSame<DotShapeOf<A, B>, NoExtents>;
template <class A, class B> concept Tiles = isTile<A> && isTile<B>;
template <class A, class B> concept Multiply = TypesMultiply<A, B> && ShapesMultiply<A, B>;
template <class A, class B>
using DotOf = typename DotShapeOf<A, B>::template With<DotAcc<ElementOf<A>>>;
// Products of float16 may also be accumulated in float16.
template <class C, class A, class B> concept Accumulates = isSame<C, DotOf<A, B>> ||
    (isSame<ElementOf<A>, float16> && isSame<C, WithElement<float16, DotOf<A, B>>>);
// clang-format on

}  // namespace detail

// a b, or acc + a b: M x K times K x N is M x N, and the same for each of a batch of B: B x M x K
// times B x K x N. Any M, N and K. Types of the operands and of the accumulator:
//
//   float16                      float, or float16 when the accumulator is
//   bfloat16, float              float
//   float8_e4m3, float8_e5m2     float; the operands may be one of each
//   int8, uint8                  int, which wraps around; the operands may be one of each
//   double                       double
template <class A, class B, class... O>
  requires(detail::Multiply<A, B> && (detail::isPrecision<O> && ...))
TL_OP("dot")
detail::DotOf<A, B> dot(const A& a, const B& b, O...)
    TL_CPU(return cpu::dot(a, b, detail::DotOf<A, B>()););
template <class A, class B, class C, class... O>
  requires(detail::Multiply<A, B> && detail::Accumulates<C, A, B> &&
           (detail::isPrecision<O> && ...))
TL_OP("dot")
C dot(const A& a, const B& b, const C& acc, O...) TL_CPU(return cpu::dot(a, b, acc););

template <class A, class B, class... R>
  requires(detail::Tiles<A, B> && !detail::TypesMultiply<A, B>)
TL_REJECT(
    "dot takes two tiles of float16, of bfloat16, of float, of double, of 8-bit floats or of 8-bit "
    "integers: cast<T>(x) first")
A dot(const A& a, const B& b, const R&...);
template <class A, class B, class... R>
  requires(detail::Tiles<A, B> && detail::TypesMultiply<A, B> && !detail::ShapesMultiply<A, B>)
TL_REJECT("dot takes M x K and K x N, or batches B x M x K and B x K x N: see trans and reshape")
A dot(const A& a, const B& b, const R&...);
template <class A, class B, class C, class... R>
  requires(detail::Multiply<A, B> && !detail::isPrecision<C> && !detail::Accumulates<C, A, B>)
TL_REJECT(
    "the accumulator of dot must have the shape of the result, and elements of type int for 8-bit "
    "integers, double for double, float16 or float for float16, and float for others")
C dot(const A& a, const B& b, const C& acc, const R&...);

}  // namespace tl
