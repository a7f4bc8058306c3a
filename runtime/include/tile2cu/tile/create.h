// Functions that create tiles: arange, iota, full, zeros, cat.
#pragma once

#include "operators.h"

#if !defined(__TILE2CU__)
#include "cpu/shape.h"
#endif

namespace tl {

// 0, 1, ..., N - 1.
template <int N>
  requires(N > 0)
TL_OP("arange")
tile<int, N> arange() TL_CPU(return cpu::iota<tile<int, N>>(0, 0););
// A, A + 1, ..., B - 1.
template <int A, int B>
  requires(A < B)
TL_OP("arange")
tile<int, B - A> arange() TL_CPU(return cpu::iota<tile<int, B - A>>(0, A););
template <int N>
  requires(N <= 0)
TL_REJECT("arange<N>() needs N > 0")
tile<int, 1> arange();
template <int A, int B>
  requires(A >= B)
TL_REJECT("arange<A, B>() needs A < B")
tile<int, 1> arange();

// Shape D...; every element is its own index along the axis.
template <int Axis, int... D>
  requires(detail::normalAxis(Axis, sizeof...(D)) >= 0)
TL_OP("iota")
tile<int, D...> iota()
    TL_CPU(return cpu::iota<tile<int, D...>>(detail::normalAxis(Axis, sizeof...(D)), 0););
template <int Axis, int... D>
  requires(detail::normalAxis(Axis, sizeof...(D)) < 0)
TL_REJECT("the axis is out of range: iota<axis, D...>() has axes 0 to rank - 1")
tile<int, D...> iota();

// Every element is `value`, converted to T.
template <class T, int... D, class V>
  requires(sizeof...(D) > 0 && detail::Scalar<V>)
TL_OP("full")
tile<detail::PlainT<T>, D...> full(const V& value)
    TL_CPU(return cpu::fill<tile<detail::PlainT<T>, D...>>(value););
template <class T, int... D, class V>
  requires(sizeof...(D) == 0 || !detail::Scalar<V>)
TL_REJECT("write full<T, D...>(value) with at least one dimension and a number")
T full(const V& value);

template <class T, int... D>
TL_OP("zeros")
tile<detail::PlainT<T>, D...> zeros() TL_CPU(return {};);

// Zeros with x's element type and shape.
template <class T, int... D>
TL_OP("zeros_like")
tile<T, D...> zeros_like(const tile<T, D...>& x) TL_CPU(static_cast<void>(x); return {};);

namespace detail {
template <class A, class B, int Axis>
constexpr auto catResult() {
  constexpr Dims dims = catDims(dimsOf<A>, dimsOf<B>, normalAxis(Axis, dimsOf<A>.rank));
  if constexpr (dims.rank > 0 && __is_same(ElementOf<A>, ElementOf<B>))
    return Type<Make<ElementOf<A>, dims>>{};
  else
    return Type<void>{};
}
template <class A, class B, int Axis>
using Cat = typename decltype(catResult<A, B, Axis>())::type;
}  // namespace detail

// a, then b, along the axis.
template <int Axis = 0, class A, class B>
  requires(detail::isTile<A> && detail::isTile<B> && detail::NotVoid<detail::Cat<A, B, Axis>>)
TL_OP("cat")
detail::Cat<A, B, Axis> cat(const A& a, const B& b)
    TL_CPU(return cpu::cat<detail::Cat<A, B, Axis>>(detail::normalAxis(Axis, A::rank), a, b););
template <int Axis = 0, class A, class B>
  requires(detail::isTile<A> && detail::isTile<B> && !detail::NotVoid<detail::Cat<A, B, Axis>>)
TL_REJECT(
    "cat<axis>(a, b): a and b must have one element type (cast<T> first), and equal shapes except "
    "along the axis")
A cat(const A& a, const B& b);

}  // namespace tl
