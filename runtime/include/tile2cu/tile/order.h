// Parts of tiles, elements by their index, and elements in order. The axis is the last one by
// default.
#pragma once

#include "reduce.h"
#include "reshape.h"

#if !defined(__TILE2CU__)
#include "cpu/order.h"
#endif

namespace tl {

namespace detail {
// Whether I is a tile of indices of elements of the tile X along the axis: the other dimensions
// agree.
template <class X, class I, int Axis>
concept Indexes =
    HasAxis<X, Axis> && isTile<I> && isInteger<ElementOf<I>> && !isBool<ElementOf<I>> &&
    sameDims(setAxis(dimsOf<X>, normalAxis(Axis, dimsOf<X>.rank), 1),
             setAxis(dimsOf<I>, normalAxis(Axis, dimsOf<X>.rank), 1));
template <class X, class I, class V, int Axis, class... M>
concept Scatters = Indexes<X, I, Axis> && __is_same(V, Make<ElementOf<X>, dimsOf<I>>) &&
                   sizeof...(M) <= 1 && (__is_same(M, Make<bool, dimsOf<I>>) && ...);
template <int Rank, class... I>
concept Locates = sizeof...(I) == Rank && (isInteger<I> && ...) && (!isBool<I> && ...);
// Whether a part of the tile X may have these sizes.
template <class X, Dims Part>
constexpr bool isPart() {
  if (Part.rank != dimsOf<X>.rank) return false;
  for (int d = 0; d < Part.rank; ++d)
    if (Part.d[d] < 1 || Part.d[d] > dimsOf<X>.d[d]) return false;
  return true;
}
template <class X, class V>
constexpr bool inserts() {
  if constexpr (isTile<V>)
    return isNumber<ElementOf<X>> && __is_same(ElementOf<X>, ElementOf<V>) &&
           isPart<X, dimsOf<V>>();
  else
    return Scalar<V> && isNumber<ElementOf<X>>;
}
template <class T, int K, int Axis, int... D>
using TopK = Make<T, setAxis(dimsFrom<D...>(), normalAxis(Axis, sizeof...(D)), K)>;
template <int K, int Axis, int... D>
constexpr bool isTopK() {
  constexpr int kAxis = normalAxis(Axis, sizeof...(D));
  if constexpr (kAxis < 0)
    return false;
  else
    return K > 0 && K <= dimsFrom<D...>().d[kAxis];
}
}  // namespace detail

// The element of x at these indices, one for each dimension.
template <class T, int... D, class... I>
  requires(detail::isNumber<T> && detail::Locates<sizeof...(D), I...>)
TL_OP("extract")
T extract(const tile<T, D...>& x, I... index) TL_CPU(return cpu::extract<T>(x, index...););
// The part of x that has N... elements from these indices on.
template <int... N, class T, int... D, class... I>
  requires(detail::isNumber<T> && detail::isPart<tile<T, D...>, detail::dimsFrom<N...>()>() &&
           detail::Locates<sizeof...(D), I...>)
TL_OP("extract")
tile<T, N...> extract(const tile<T, D...>& x, I... index)
    TL_CPU(return cpu::extract<tile<T, N...>>(x, index...););
template <int... N, class T, int... D, class... I>
  requires(!detail::isNumber<T> || !detail::Locates<sizeof...(D), I...> ||
           (sizeof...(N) > 0 && !detail::isPart<tile<T, D...>, detail::dimsFrom<N...>()>()))
TL_REJECT(
    "extract(x, i...) and extract<sizes...>(x, i...): x is a tile of numbers, i... an integer for "
    "each of its dimensions, and sizes... are at most its own")
T extract(const tile<T, D...>& x, const I&... index);

// x with the value, or with the elements of a part, from these indices on.
template <class T, int... D, class V, class... I>
  requires(detail::inserts<tile<T, D...>, V>() && detail::Locates<sizeof...(D), I...>)
TL_OP("insert")
tile<T, D...> insert(const tile<T, D...>& x, const V& value, I... index)
    TL_CPU(return cpu::insert(x, value, index...););
template <class T, int... D, class V, class... I>
  requires(!detail::inserts<tile<T, D...>, V>() || !detail::Locates<sizeof...(D), I...>)
TL_REJECT(
    "insert(x, value, i...) and insert(x, part, i...): a part has the element type of x, and its "
    "sizes are at most those of x; i... is an integer for each dimension of x")
tile<T, D...> insert(const tile<T, D...>& x, const V& value, const I&... index);

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

// x with `values` at `index` along the axis, where `mask` is true; scatter_add: added to what is
// there, in any order.
#define TL_SCATTER(NAME)                                                                          \
  template <int Axis = -1, class T, int... D, class I, class V, class... M>                       \
    requires detail::Scatters<tile<T, D...>, I, V, Axis, M...>                                    \
  TL_OP(#NAME)                                                                                    \
  tile<T, D...> NAME(const tile<T, D...>& x, const I& index, const V& values, const M&... mask)   \
      TL_CPU(                                                                                     \
          return cpu::NAME<detail::normalAxis(Axis, sizeof...(D))>(x, index, values, mask...););  \
  template <int Axis = -1, class T, int... D, class I, class V, class... M>                       \
    requires(!detail::Scatters<tile<T, D...>, I, V, Axis, M...>)                                  \
  TL_REJECT(#NAME                                                                                 \
            "<axis>(x, index, values, mask): index must be a tile of integers with the shape of " \
            "x, except along the axis, values a tile of x's element type with the shape of "      \
            "index, and mask one of bool")                                                        \
  tile<T, D...>                                                                                   \
  NAME(const tile<T, D...>& x, const I& index, const V& values, const M&... mask);
TL_SCATTER(scatter)
TL_SCATTER(scatter_add)
#undef TL_SCATTER

// x in order, from the smallest element on; with `descending` from the largest on. argsort: where
// in x each of them is. NaN is larger than all numbers.
#define TL_SORT(NAME, ELEMENT)                                                                 \
  template <int Axis = -1, class T, int... D, class... O>                                      \
    requires(detail::isArithmetic<T> && detail::HasAxis<tile<T, D...>, Axis> &&                \
             (__is_same(O, descending_t) && ...))                                              \
  TL_OP(#NAME)                                                                                 \
  tile<ELEMENT, D...> NAME(const tile<T, D...>& x, O...)                                       \
      TL_CPU(return cpu::NAME<detail::normalAxis(Axis, sizeof...(D))>(x, sizeof...(O) != 0);); \
  template <int Axis = -1, class T, int... D, class... O>                                      \
    requires(!detail::HasAxis<tile<T, D...>, Axis>)                                            \
  TL_REJECT(TL_AXIS)                                                                           \
  tile<ELEMENT, D...> NAME(const tile<T, D...>& x, O...);
TL_SORT(sort, T)
TL_SORT(argsort, int)
#undef TL_SORT

// The K largest elements along the axis, from the largest on, and where in x they are.
template <int K, int Axis = -1, class T, int... D>
  requires(detail::isArithmetic<T> && detail::isTopK<K, Axis, D...>())
TL_OP("topk")
tuple<detail::TopK<T, K, Axis, D...>, detail::TopK<int, K, Axis, D...>> topk(const tile<T, D...>& x)
    TL_CPU(return cpu::topk<detail::normalAxis(Axis, sizeof...(D)), detail::TopK<T, K, Axis, D...>,
                            detail::TopK<int, K, Axis, D...>>(x););
template <int K, int Axis = -1, class T, int... D>
  requires(!detail::isTopK<K, Axis, D...>())
TL_REJECT("topk<k, axis>(x): k must be between 1 and the size of x along the axis")
tuple<tile<T, D...>, tile<int, D...>> topk(const tile<T, D...>& x);

// How many elements of x are each of 0 to Bins - 1; with a mask, of those where it is true.
template <int Bins, class I, class... M>
  requires(detail::isTile<I> && detail::isInteger<detail::ElementOf<I>> && sizeof...(M) <= 1)
__tile__ tile<int, Bins> histogram(const I& x, const M&... mask) {
  auto bin = ravel(x);
  auto inside = ((bin >= 0 && bin < Bins) && ... && ravel(mask));
  return scatter_add(zeros<int, Bins>(), bin, full<int, I::size>(1), inside);
}

// The weights of such elements, added up.
template <int Bins, class I, class T, int... D, class... M>
  requires(__is_same(I, detail::Make<detail::ElementOf<I>, detail::dimsFrom<D...>()>) &&
           detail::isInteger<detail::ElementOf<I>> && sizeof...(M) <= 1)
__tile__ tile<detail::SumOf<T>, Bins> bincount(const I& x, const tile<T, D...>& weights,
                                               const M&... mask) {
  auto bin = ravel(x);
  auto inside = ((bin >= 0 && bin < Bins) && ... && ravel(mask));
  return scatter_add(zeros<detail::SumOf<T>, Bins>(), bin, cast<detail::SumOf<T>>(ravel(weights)),
                     inside);
}

}  // namespace tl
