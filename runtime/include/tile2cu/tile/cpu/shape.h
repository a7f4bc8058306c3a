// Reference of creation and shape operations: one element at a time, by coordinates.
#pragma once

#include "elementwise.h"

namespace tl::cpu {

// R whose element at the coordinates `to` is x's at source(to).
template <class R, class X, class F>
R rearrange(const X& x, F source) {
  R out;
  for (int i = 0; i < R::size; ++i)
    out.data()[i] = x.data()[flatten(dimsOf<X>, source(unflatten(dimsOf<R>, i)))];
  return out;
}

template <class... I, class T, int... D>
auto subscript(const tile<T, D...>& x) {
  using R = detail::Make<T, detail::subscriptDims<I...>(dimsOf<tile<T, D...>>)>;
  constexpr int kCount = sizeof...(I);
  constexpr detail::SubscriptKind kSubscripts[] = {detail::subscriptKind<I>...};
  return rearrange<R>(x, [&](const Coordinates& at) {
    Coordinates from;
    int axis = 0;
    for (int k = 0; k < R::rank; ++k) {
      if (k >= kCount)
        from.c[axis++] = at.c[k];
      else if (!kSubscripts[k].is_new)
        from.c[axis++] = at.c[k] + kSubscripts[k].begin;
    }
    return from;
  });
}

template <class R>
R iota(int axis, int first) {
  R out;
  for (int i = 0; i < R::size; ++i) out.data()[i] = first + unflatten(dimsOf<R>, i).c[axis];
  return out;
}

template <class R, class V>
R fill(const V& value) {
  return zip<R>([](auto v) { return v; }, value);
}

template <class R, class X>
R reshape(const X& x) {
  R out;
  std::copy_n(x.data(), R::size, out.data());
  return out;
}

template <Dims Order, class X>
auto permute(const X& x) {
  using R = detail::Make<ElementOf<X>, detail::permuteDims(dimsOf<X>, Order)>;
  return rearrange<R>(x, [](const Coordinates& at) {
    Coordinates from;
    for (int k = 0; k < Order.rank; ++k) from.c[Order.d[k]] = at.c[k];
    return from;
  });
}

template <class X>
X flip(int axis, const X& x) {
  return rearrange<X>(x, [axis](Coordinates at) {
    at.c[axis] = dimsOf<X>.d[axis] - 1 - at.c[axis];
    return at;
  });
}

template <class R, class A, class B>
R cat(int axis, const A& a, const B& b) {
  R out;
  for (int i = 0; i < R::size; ++i) {
    Coordinates at = unflatten(dimsOf<R>, i);
    const int first = dimsOf<A>.d[axis];
    if (at.c[axis] < first) {
      out.data()[i] = a.data()[flatten(dimsOf<A>, at)];
    } else {
      at.c[axis] -= first;
      out.data()[i] = b.data()[flatten(dimsOf<B>, at)];
    }
  }
  return out;
}

template <class R, class A, class B>
R join(const A& a, const B& b) {
  R out;
  constexpr Dims kHalf = detail::broadcastDims(dimsOf<A>, dimsOf<B>);
  for (int i = 0; i < R::size / 2; ++i) {
    out.data()[2 * i] = element<kHalf>(a, i);
    out.data()[2 * i + 1] = element<kHalf>(b, i);
  }
  return out;
}

template <class Half, class X>
tuple<Half, Half> split(const X& x) {
  if constexpr (detail::isTile<Half>) {
    Half first;
    Half second;
    for (int i = 0; i < Half::size; ++i) {
      first.data()[i] = x.data()[2 * i];
      second.data()[i] = x.data()[2 * i + 1];
    }
    return {first, second};
  } else {
    return {x.data()[0], x.data()[1]};
  }
}

}  // namespace tl::cpu
