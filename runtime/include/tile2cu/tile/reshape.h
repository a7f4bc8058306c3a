// Functions that change the shape of a tile.
#pragma once

#include "create.h"

namespace tl {

// A new dimension of 1 at the axis, which is an axis of the result: expand_dims<1>(x) is x[all,
// none].
template <int Axis, class T, int... D>
  requires(detail::normalAxis(Axis, sizeof...(D) + 1) >= 0 && sizeof...(D) < detail::kMaxRank)
TL_OP("expand_dims")
detail::Make<T, detail::insertAxis(detail::dimsFrom<D...>(),
                                   detail::normalAxis(Axis, sizeof...(D) + 1),
                                   1)> expand_dims(const tile<T, D...>& x)
    TL_CPU(return cpu::reshape<detail::Make<
               T, detail::insertAxis(detail::dimsFrom<D...>(),
                                     detail::normalAxis(Axis, sizeof...(D) + 1), 1)>>(x););
template <int Axis, class T, int... D>
  requires(detail::normalAxis(Axis, sizeof...(D) + 1) < 0)
TL_REJECT("the axis is out of range: expand_dims of rank r takes the axes -r - 1 to r")
tile<T, D...> expand_dims(const tile<T, D...>& x);

// Dimensions of 1 are repeated; new dimensions are added in front.
template <int... D, class X>
  requires(detail::isTile<X> && detail::broadcastsTo(detail::dimsOf<X>, detail::dimsFrom<D...>()))
TL_OP("broadcast_to")
tile<detail::ElementOf<X>, D...> broadcast_to(const X& x)
    TL_CPU(return cpu::convert<tile<detail::ElementOf<X>, D...>>(x););
template <int... D, class X>
  requires(detail::isTile<X> && !detail::broadcastsTo(detail::dimsOf<X>, detail::dimsFrom<D...>()))
TL_REJECT("the tile does not broadcast to this shape: only dimensions of 1 stretch")
X broadcast_to(const X& x);

// The same elements in row-major order.
template <int... D, class X>
  requires(detail::isTile<X> && sizeof...(D) > 0 &&
           (1 * ... * D) == detail::numel(detail::dimsOf<X>))
TL_OP("reshape")
tile<detail::ElementOf<X>, D...> reshape(const X& x)
    TL_CPU(return cpu::reshape<tile<detail::ElementOf<X>, D...>>(x););
template <int... D, class X>
  requires(detail::isTile<X> && (1 * ... * D) != detail::numel(detail::dimsOf<X>))
TL_REJECT("reshape must keep the number of elements: the product of the dimensions differs")
X reshape(const X& x);

namespace detail {
// reshape to a named tile type.
template <class R, class X>
TL_OP("reshape")
R reshapeAs(const X& x) TL_CPU(return cpu::reshape<R>(x););
}  // namespace detail

// One dimension.
template <class T, int... D>
__tile__ tile<T, (1 * ... * D)> ravel(const tile<T, D...>& x) {
  return detail::reshapeAs<tile<T, (1 * ... * D)>>(x);
}

// Result dimension k is dimension P[k] of x.
template <int... P, class X>
  requires(detail::isTile<X> &&
           detail::normalOrder(detail::dimsFrom<P...>(), detail::dimsOf<X>.rank).rank > 0)
TL_OP("permute")
detail::Make<detail::ElementOf<X>,
             detail::permuteDims(detail::dimsOf<X>,
                                 detail::normalOrder(detail::dimsFrom<P...>(),
                                                     detail::dimsOf<X>.rank))> permute(const X& x)
    TL_CPU(return cpu::permute<detail::normalOrder(detail::dimsFrom<P...>(),
                                                   detail::dimsOf<X>.rank)>(x););
template <int... P, class X>
  requires(detail::isTile<X> &&
           detail::normalOrder(detail::dimsFrom<P...>(), detail::dimsOf<X>.rank).rank < 0)
TL_REJECT("permute<...> must name every axis of the tile once")
X permute(const X& x);

// Swaps rows and columns.
template <class T, int M, int N>
TL_OP("trans")
tile<T, N, M> trans(const tile<T, M, N>& x)
    TL_CPU(return cpu::permute<detail::Dims{2, {1, 0}}>(x););
template <class T, int... D>
  requires(sizeof...(D) != 2)
TL_REJECT("trans is for two dimensions: use permute<...>(x)")
tile<T, D...> trans(const tile<T, D...>& x);

namespace detail {
template <class A, class B>
inline constexpr Dims bothDims = broadcastDims(dimsOf<A>, dimsOf<B>);
template <class A, class B>
concept Joinable = isTile<A> && isTile<B> && __is_same(ElementOf<A>, ElementOf<B>) && Fits<A, B> &&
                   bothDims<A, B>.rank < kMaxRank;
template <class A, class B>
using Joined = Make<ElementOf<A>, insertAxis(bothDims<A, B>, bothDims<A, B>.rank, 2)>;
template <class X>
inline constexpr int lastDim = dimsOf<X>.d[dimsOf<X>.rank - 1];
template <class X>
using WithoutLast = Make<ElementOf<X>, removeAxis(dimsOf<X>, dimsOf<X>.rank - 1)>;
template <class A, class B>
using Interleaved = Make<ElementOf<A>, setAxis(bothDims<A, B>, bothDims<A, B>.rank - 1,
                                               2 * bothDims<A, B>.d[bothDims<A, B>.rank - 1])>;
}  // namespace detail

// A new last dimension of 2, with a and b.
template <class A, class B>
  requires detail::Joinable<A, B>
TL_OP("join")
detail::Joined<A, B> join(const A& a, const B& b)
    TL_CPU(return cpu::join<detail::Joined<A, B>>(a, b););
template <class A, class B>
  requires(detail::isTile<A> && detail::isTile<B> && !detail::Joinable<A, B>)
TL_REJECT("join takes tiles of one element type (cast<T> first) whose shapes broadcast")
A join(const A& a, const B& b);

// The two halves of a last dimension of 2, which is removed: the inverse of join. `auto [a, b] =
// split(x);`
template <class X>
  requires(detail::isTile<X> && detail::lastDim<X> == 2)
TL_OP("split")
tuple<detail::WithoutLast<X>, detail::WithoutLast<X>> split(const X& x)
    TL_CPU(return cpu::split<detail::WithoutLast<X>>(x););
template <class X>
  requires(detail::isTile<X> && detail::lastDim<X> != 2)
TL_REJECT("split takes a tile whose last dimension is 2")
tuple<X, X> split(const X& x);

// a0, b0, a1, b1, ... along the last dimension.
template <class A, class B>
  requires detail::Joinable<A, B>
__tile__ detail::Interleaved<A, B> interleave(const A& a, const B& b) {
  return detail::reshapeAs<detail::Interleaved<A, B>>(join(a, b));
}

// Reverses the order along the axis; by default the last axis.
template <int Axis = -1, class T, int... D>
  requires(detail::normalAxis(Axis, sizeof...(D)) >= 0)
TL_OP("flip")
tile<T, D...> flip(const tile<T, D...>& x)
    TL_CPU(return cpu::flip(detail::normalAxis(Axis, sizeof...(D)), x););
template <int Axis, class T, int... D>
  requires(detail::normalAxis(Axis, sizeof...(D)) < 0)
TL_REJECT(TL_AXIS)
tile<T, D...> flip(const tile<T, D...>& x);

}  // namespace tl
