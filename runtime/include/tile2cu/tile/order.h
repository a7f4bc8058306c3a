// Elements by their index. The axis is the last one by default.
#pragma once

#include "reduce.h"

#if !defined(__TILE2CU__)
#include "cpu/order.h"
#endif

namespace tl {

namespace detail {
// Whether a tile of S holds the index of elements of a tile of X along the axis: the other
// dimensions agree.
template <class X, class I, int Axis>
concept Indexes =
    HasAxis<X, Axis> && isTile<I> && isInteger<ElementOf<I>> && !isBool<ElementOf<I>> &&
    sameDims(setAxis(dimsOf<X>, normalAxis(Axis, dimsOf<X>.rank), 1),
             setAxis(dimsOf<I>, normalAxis(Axis, dimsOf<X>.rank), 1));
}  // namespace detail

// The elements of x at `index` along the axis.
template <int Axis = -1, class T, int... D, class I>
  requires detail::Indexes<tile<T, D...>, I, Axis>
TL_OP("gather")
detail::Make<T, detail::dimsOf<I>> gather(const tile<T, D...>& x, const I& index)
    TL_CPU(return cpu::gather<detail::normalAxis(Axis, sizeof...(D)),
                              detail::Make<T, detail::dimsOf<I>>>(x, index););
template <int Axis = -1, class T, int... D, class I>
  requires(!detail::Indexes<tile<T, D...>, I, Axis>)
TL_REJECT(
    "gather<axis>(x, index): index must be a tile of integers with the shape of x, except along "
    "the axis")
tile<T, D...> gather(const tile<T, D...>& x, const I& index);

// x with `values` at `index` along the axis.
template <int Axis = -1, class T, int... D, class I, class V>
  requires(detail::Indexes<tile<T, D...>, I, Axis> &&
           __is_same(V, detail::Make<T, detail::dimsOf<I>>))
TL_OP("scatter")
tile<T, D...> scatter(const tile<T, D...>& x, const I& index, const V& values)
    TL_CPU(return cpu::scatter<detail::normalAxis(Axis, sizeof...(D))>(x, index, values););
template <int Axis = -1, class T, int... D, class I, class V>
  requires(!(detail::Indexes<tile<T, D...>, I, Axis> &&
             __is_same(V, detail::Make<T, detail::dimsOf<I>>)))
TL_REJECT(
    "scatter<axis>(x, index, values): index must be a tile of integers with the shape of x, except "
    "along the axis, and values a tile of x's element type with the shape of index")
tile<T, D...> scatter(const tile<T, D...>& x, const I& index, const V& values);

}  // namespace tl
