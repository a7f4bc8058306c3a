// Reference of gather and scatter.
#pragma once

#include "program.h"
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

template <int Axis, class R, class X, class I>
R gather(const X& x, const I& index) {
  R out;
  for (int i = 0; i < R::size; ++i)
    out.data()[i] = x.data()[indexed<X>(Axis, unflatten(dimsOf<R>, i), index.data()[i], "gather")];
  return out;
}

template <int Axis, class X, class I, class V>
X scatter(const X& x, const I& index, const V& values) {
  X out = x;
  for (int i = 0; i < I::size; ++i)
    out.data()[indexed<X>(Axis, unflatten(dimsOf<I>, i), index.data()[i], "scatter")] =
        values.data()[i];
  return out;
}

}  // namespace tl::cpu
