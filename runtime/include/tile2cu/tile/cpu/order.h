// Reference of parts, gather, scatter and sorts.
#pragma once

#include <algorithm>
#include <vector>

#include "program.h"
#include "reduce.h"
#include "shape.h"

namespace tl::cpu {

// The number of the element of X whose coordinates are `at`, but `index` along the axis.
template <class X, class I>
int indexed(int axis, Coordinates at, I index, const char* what) {
  const auto place = static_cast<std::int64_t>(index);
  if (place < 0 || place >= dimsOf<X>.d[axis]) fail("an index is outside of the tile: ", what);
  at.c[axis] = static_cast<int>(place);
  return flatten(dimsOf<X>, at);
}

// Where in a tile of X's shape the element `at` of a part lies, which starts at these indices.
template <class X, class... I>
int fromStart(Coordinates at, const char* what, I... index) {
  int d = 0;
  const auto move = [&](auto by) {
    const auto start = static_cast<std::int64_t>(by);
    const int size = dimsOf<X>.d[d];
    if (start < 0 || start >= size - at.c[d]) fail("an index is outside of the tile: ", what);
    at.c[d++] += static_cast<int>(start);
  };
  (move(index), ...);
  return flatten(dimsOf<X>, at);
}

// R: an element, or a part.
template <class R, class X, class... I>
R extract(const X& x, I... index) {
  if constexpr (detail::isTile<R>) {
    R out;
    for (int i = 0; i < R::size; ++i)
      out.data()[i] = x.data()[fromStart<X>(unflatten(dimsOf<R>, i), "extract", index...)];
    return out;
  } else {
    return x.data()[fromStart<X>(Coordinates{}, "extract", index...)];
  }
}

template <class X, class V, class... I>
X insert(const X& x, const V& value, I... index) {
  X out = x;
  if constexpr (detail::isTile<V>) {
    for (int i = 0; i < V::size; ++i)
      out.data()[fromStart<X>(unflatten(dimsOf<V>, i), "insert", index...)] = value.data()[i];
  } else {
    out.data()[fromStart<X>(Coordinates{}, "insert", index...)] = to<ElementOf<X>>(value);
  }
  return out;
}

template <int Axis, class R, class X, class I>
R gather(const X& x, const I& index) {
  R out;
  for (int i = 0; i < R::size; ++i)
    out.data()[i] = x.data()[indexed<X>(Axis, unflatten(dimsOf<R>, i), index.data()[i], "gather")];
  return out;
}

// Calls f(place in x, number) for each value; with a mask for those where it is true.
template <int Axis, class X, class I, class F, class... M>
void forEachPlace(const I& index, const char* what, F f, const M&... mask) {
  for (int i = 0; i < I::size; ++i)
    if ((mask.data()[i] && ...))
      f(indexed<X>(Axis, unflatten(dimsOf<I>, i), index.data()[i], what), i);
}

template <int Axis, class X, class I, class V, class... M>
X scatter(const X& x, const I& index, const V& values, const M&... mask) {
  X out = x;
  forEachPlace<Axis, X>(
      index, "scatter", [&](int to, int i) { out.data()[to] = values.data()[i]; }, mask...);
  return out;
}

template <int Axis, class X, class I, class V, class... M>
X scatter_add(const X& x, const I& index, const V& values, const M&... mask) {
  X out = x;
  forEachPlace<Axis, X>(
      index, "scatter_add",
      [&](int to, int i) {
        out.data()[to] = static_cast<ElementOf<X>>(out.data()[to] + values.data()[i]);
      },
      mask...);
  return out;
}

// Whether a comes before b.
template <class T>
bool precedes(const T& first, const T& second, bool descending) {
  using C = detail::ComputeOf<T>;
  const C a = to<C>(descending ? second : first), b = to<C>(descending ? first : second);
  return a < b || (a == a && b != b);
}

template <class T>
bool isNegativeZero(const T& x) {
  using C = detail::ComputeOf<T>;
  if constexpr (std::is_floating_point_v<C>)
    return to<C>(x) == 0 && std::signbit(to<C>(x));
  else
    return false;
}

// The indices of a run in the order of its elements.
template <class X>
std::vector<int> sortedRun(const X& x, const Run& run, bool descending) {
  std::vector<int> order(run.size);
  for (int i = 0; i < run.size; ++i) order[i] = i;
  const auto at = [&](int i) -> const auto& { return x.data()[run.at(i)]; };
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return precedes(at(i), at(j), descending) || (!precedes(at(j), at(i), descending) && i < j);
  });
  return order;
}

template <int Axis, class X>
auto argsort(const X& x, bool descending) {
  detail::Make<int, dimsOf<X>> out;
  forEachRun<Axis, dimsOf<X>>([&](const Run& run, int) {
    const std::vector<int> order = sortedRun(x, run, descending);
    for (int i = 0; i < run.size; ++i) out.data()[run.at(i)] = order[i];
  });
  return out;
}

// Without its index, -0 comes before 0.
template <int Axis, class X>
X sort(const X& x, bool descending) {
  using T = ElementOf<X>;
  X out;
  forEachRun<Axis, dimsOf<X>>([&](const Run& run, int) {
    std::vector<T> values(run.size);
    for (int i = 0; i < run.size; ++i) values[i] = x.data()[run.at(i)];
    std::sort(values.begin(), values.end(), [&](const T& a, const T& b) {
      if (precedes(a, b, descending) || precedes(b, a, descending))
        return precedes(a, b, descending);
      const bool isNegative = isNegativeZero(a), isOtherNegative = isNegativeZero(b);
      return descending ? isNegative < isOtherNegative : isNegative > isOtherNegative;
    });
    for (int i = 0; i < run.size; ++i) out.data()[run.at(i)] = values[i];
  });
  return out;
}

template <int Axis, class Values, class Indices, class X>
tuple<Values, Indices> topk(const X& x) {
  const auto order = argsort<Axis>(x, true);
  tuple<Values, Indices> out;
  for (int i = 0; i < Values::size; ++i) {
    const Coordinates at = unflatten(dimsOf<Values>, i);
    const int index = order.data()[flatten(dimsOf<X>, at)];
    out.v1.data()[i] = index;
    out.v0.data()[i] = x.data()[indexed<X>(Axis, at, index, "topk")];
  }
  return out;
}

}  // namespace tl::cpu
