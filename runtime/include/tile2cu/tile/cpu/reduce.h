// Reference of reductions and scans. A reduction is a balanced tree in index order, so that the
// error of a float sum grows with the logarithm of its length, as it does on the GPU. A scan adds
// one element after the other; in reversed order it combines partial results, as a GPU does, which
// shows the kernels whose results depend on the place of the parentheses.
#pragma once

#include <limits>
#include <type_traits>
#include <utility>

#include "program.h"

namespace tl::cpu {

// The elements along one axis at given coordinates of the others.
struct Run {
  int first;
  int stride;
  int size;
  int at(int i) const { return first + i * stride; }
};

// Calls f(run, index of the run) for all coordinates of the other axes; kAllAxes makes a single
// run.
template <int Axis, Dims S, class F>
void forEachRun(F f) {
  if constexpr (Axis == detail::kAllAxes) {
    f(Run{0, 1, detail::numel(S)}, 0);
  } else {
    int inner = 1;
    for (int k = Axis + 1; k < S.rank; ++k) inner *= S.d[k];
    const int size = S.d[Axis];
    for (int i = 0; i < detail::numel(S) / size; ++i)
      f(Run{i / inner * size * inner + i % inner, inner, size}, i);
  }
}

template <class R, class V>
void put(R& out, int index, const V& value) {
  if constexpr (detail::isTile<R>)
    out.data()[index] = value;
  else
    out = value;
}

// Reduces get(lo), ..., get(hi - 1) with combine.
template <class Get, class F>
auto tree(int lo, int hi, const Get& get, F& combine) -> decltype(get(lo)) {
  if (hi - lo == 1) return get(lo);
  const int middle = lo + (hi - lo + 1) / 2;
  auto left = tree(lo, middle, get, combine);
  auto right = tree(middle, hi, get, combine);
  if (current.order == Order::kReversed) std::swap(left, right);
  return static_cast<decltype(get(lo))>(combine(left, right));
}

// R, with the elements of x converted to W before they are combined.
template <int Axis, class R, class W, class X, class F>
R fold(const X& x, F combine) {
  R out{};
  forEachRun<Axis, dimsOf<X>>([&](const Run& run, int index) {
    auto get = [&](int i) { return to<W>(x.data()[run.at(i)]); };
    put(out, index, to<ElementOf<R>>(tree(0, run.size, get, combine)));
  });
  return out;
}

template <int Axis, class R, bool, class X>
R sum(const X& x) {
  return fold<Axis, R, ElementOf<R>>(x, [](auto a, auto b) { return a + b; });
}
// If NaN is ignored, a run of NaNs counts as empty: its maximum is -infinity, its minimum
// +infinity.
template <int Axis, class R, class X, class F>
R extreme(const X& x, F combine, bool keep_nan, double of_none) {
  using C = detail::ComputeOf<ElementOf<X>>;
  R out = fold<Axis, R, C>(x, combine);
  if constexpr (std::is_floating_point_v<C>)
    if (!keep_nan)
      forEachRun<Axis, dimsOf<X>>([&](const Run& run, int index) {
        bool none = true;
        for (int i = 0; i < run.size; ++i) {
          const C value = to<C>(x.data()[run.at(i)]);
          none = none && value != value;
        }
        if (none) put(out, index, to<ElementOf<R>>(static_cast<C>(of_none)));
      });
  return out;
}
template <int Axis, class R, bool KeepNan, class X>
R max(const X& x) {
  using C = detail::ComputeOf<ElementOf<X>>;
  return extreme<Axis, R>(
      x, [](C a, C b) { return larger(a, b, KeepNan); }, KeepNan,
      -std::numeric_limits<double>::infinity());
}
template <int Axis, class R, bool KeepNan, class X>
R min(const X& x) {
  using C = detail::ComputeOf<ElementOf<X>>;
  return extreme<Axis, R>(
      x, [](C a, C b) { return smaller(a, b, KeepNan); }, KeepNan,
      std::numeric_limits<double>::infinity());
}
template <int Axis, class R, bool, class X>
R xor_sum(const X& x) {
  return fold<Axis, R, ElementOf<X>>(x, [](auto a, auto b) { return a ^ b; });
}
template <int Axis, class R, bool, class X>
R any(const X& x) {
  return fold<Axis, R, bool>(x, [](bool a, bool b) { return a || b; });
}
template <int Axis, class R, bool, class X>
R all_of(const X& x) {
  return fold<Axis, R, bool>(x, [](bool a, bool b) { return a && b; });
}

// The first index whose value is not beaten by another. Every number beats NaN; 0 if all are NaN.
template <int Axis, class R, class X, class Beats>
R firstBest(const X& x, Beats beats) {
  using C = detail::ComputeOf<ElementOf<X>>;
  R out{};
  forEachRun<Axis, dimsOf<X>>([&](const Run& run, int index) {
    int best = 0;
    C best_value = to<C>(x.data()[run.at(0)]);
    for (int i = 1; i < run.size; ++i) {
      const C value = to<C>(x.data()[run.at(i)]);
      const bool best_is_nan = best_value != best_value;
      if (beats(value, best_value) || (best_is_nan && value == value)) {
        best = i;
        best_value = value;
      }
    }
    put(out, index, best);
  });
  return out;
}
template <int Axis, class R, bool, class X>
R argmax(const X& x) {
  return firstBest<Axis, R>(x, [](auto a, auto b) { return a > b; });
}
template <int Axis, class R, bool, class X>
R argmin(const X& x) {
  return firstBest<Axis, R>(x, [](auto a, auto b) { return a < b; });
}

template <int Axis, class R, class X, class F>
R reduce(const X& x, F combine) {
  return fold<Axis, R, ElementOf<X>>(x, combine);
}

// Replaces element i by elements 0 to i combined. get(i) and set(i, value) access the elements.
template <class Get, class Set, class F>
void scanInPlace(int size, const Get& get, const Set& set, F& combine) {
  if (current.order != Order::kReversed) {
    for (int i = 1; i < size; ++i) set(i, combine(get(i - 1), get(i)));
    return;
  }
  for (int distance = 1; distance < size; distance *= 2)
    for (int i = size - 1; i >= distance; --i) set(i, combine(get(i - distance), get(i)));
}

// Running results in the element type of R; `reverse` runs from the end.
template <int Axis, class R, class X, class F>
R scan(const X& x, F combine, bool reverse) {
  using E = ElementOf<R>;
  R out;
  forEachRun<Axis, dimsOf<X>>([&](const Run& run, int) {
    const auto at = [&](int i) { return run.at(reverse ? run.size - 1 - i : i); };
    for (int i = 0; i < run.size; ++i) out.data()[at(i)] = to<E>(x.data()[at(i)]);
    scanInPlace(
        run.size, [&](int i) -> E { return out.data()[at(i)]; },
        [&](int i, auto value) { out.data()[at(i)] = static_cast<E>(value); }, combine);
  });
  return out;
}
template <int Axis, class R, class X>
R cumsum(const X& x, bool reverse) {
  return scan<Axis, R>(x, [](auto a, auto b) { return a + b; }, reverse);
}
template <int Axis, class R, class X>
R cumprod(const X& x, bool reverse) {
  return scan<Axis, R>(x, [](auto a, auto b) { return a * b; }, reverse);
}

// ---- Tuples: tl::tuple or std::tuple, of up to 8 members.

template <template <class...> class Tuple, class... T>
constant<sizeof...(T)> memberCount(const Tuple<T...>&);

// f(members...).
template <class Tuple, class F>
auto unpack(Tuple& t, F f) {
  constexpr int n = decltype(memberCount(t))::value;
  static_assert(n <= 8, "a tuple of tiles has at most 8 members");
  // clang-format off
  if constexpr (n == 1) { auto& [a] = t; return f(a); }
  else if constexpr (n == 2) { auto& [a, b] = t; return f(a, b); }
  else if constexpr (n == 3) { auto& [a, b, c] = t; return f(a, b, c); }
  else if constexpr (n == 4) { auto& [a, b, c, d] = t; return f(a, b, c, d); }
  else if constexpr (n == 5) { auto& [a, b, c, d, e] = t; return f(a, b, c, d, e); }
  else if constexpr (n == 6) { auto& [a, b, c, d, e, g] = t; return f(a, b, c, d, e, g); }
  else if constexpr (n == 7) { auto& [a, b, c, d, e, g, h] = t; return f(a, b, c, d, e, g, h); }
  else { auto& [a, b, c, d, e, g, h, i] = t; return f(a, b, c, d, e, g, h, i); }
  // clang-format on
}

// The elements of the tiles at one index.
template <class Scalars, class Tiles>
Scalars gather(const Tiles& tiles, int at) {
  return unpack(tiles, [at](const auto&... x) { return Scalars{x.data()[at]...}; });
}

// out[index] = values, member by member.
template <class Out, class Scalars>
void putAll(Out& out, int index, const Scalars& values) {
  unpack(out, [&](auto&... to_member) {
    unpack(values, [&](const auto&... value) { (put(to_member, index, value), ...); });
  });
}

template <int Axis, Dims S, class Scalars, class Result, class Tiles, class F>
Result reduceTuple(const Tiles& tiles, F combine) {
  Result out{};
  forEachRun<Axis, S>([&](const Run& run, int index) {
    auto get = [&](int i) { return gather<Scalars>(tiles, run.at(i)); };
    putAll(out, index, tree(0, run.size, get, combine));
  });
  return out;
}

template <int Axis, Dims S, class Scalars, class Tiles, class F>
Tiles scanTuple(const Tiles& tiles, F combine, bool reverse) {
  Tiles out = tiles;
  forEachRun<Axis, S>([&](const Run& run, int) {
    const auto at = [&](int i) { return run.at(reverse ? run.size - 1 - i : i); };
    scanInPlace(
        run.size, [&](int i) { return gather<Scalars>(out, at(i)); },
        [&](int i, const auto& value) { putAll(out, at(i), static_cast<Scalars>(value)); },
        combine);
  });
  return out;
}

}  // namespace tl::cpu
