// Loops with options, unrolled loops, and loops of persistent kernels.
#pragma once

#include "program.h"

namespace tl {

namespace detail {

// The result of the range functions: an iterable of `count` values from `first` in steps.
template <class T>
struct IndexRange {
  struct Iterator {
    T value;
    T step;
    std::uint64_t left;
    constexpr T operator*() const { return value; }
    constexpr Iterator& operator++() {
      if (--left > 0) value = static_cast<T>(value + step);
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return left != other.left; }
  };
  T first;
  T step;
  std::uint64_t count;
  constexpr Iterator begin() const { return {first, step, count}; }
  constexpr Iterator end() const { return {first, step, 0}; }
};

// a < b by value, also if one is signed and the other is not.
template <class A, class B>
constexpr bool isLess(A a, B b) {
  if ((a < A(0)) != (b < B(0))) return a < A(0);
  return static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
}

// ceil((b - a) / step); 0 if that is negative or the step is 0. Differences are computed in
// unsigned types, which hold all of them.
template <class A, class B, class C>
constexpr std::uint64_t tripCount(A a, B b, C step) {
  const auto first = static_cast<std::uint64_t>(a), last = static_cast<std::uint64_t>(b),
             by = static_cast<std::uint64_t>(step);
  if (step > C(0)) return isLess(a, b) ? (last - first - 1) / by + 1 : 0;
  return step < C(0) && isLess(b, a) ? (first - last - 1) / (0 - by) + 1 : 0;
}

template <class... T>
concept Indices1 = (Scalar<T> && ...) && (Integral<T> && ...);
template <class A, class B>
using Index = Promoted<PlainT<A>, PlainT<B>>;

}  // namespace detail

// for (auto i : range(a, b, step, {.num_stages = 2})): a, a + step, ... before b; a negative step
// counts down to b. There are ceil((b - a) / step) iterations, even if the type cannot represent
// the value after the last one. The index has the type of the argument, or the promoted type of
// several. A step of 0 gives no iterations.
template <class A>
  requires detail::Indices1<A>
TL_OP("range")
detail::IndexRange<detail::PlainT<A>> range(const A& end, range_options = {})
    TL_CPU(return {0, 1, detail::tripCount(0, static_cast<detail::PlainT<A>>(end), 1)};);
template <class A, class B>
  requires detail::Indices1<A, B>
TL_OP("range")
detail::IndexRange<detail::Index<A, B>> range(const A& begin, const B& end, range_options = {})
    TL_CPU(return {static_cast<detail::Index<A, B>>(begin), 1, detail::tripCount(begin, end, 1)};);
template <class A, class B, class C>
  requires detail::Indices1<A, B, C>
TL_OP("range")
detail::IndexRange<detail::Index<detail::Index<A, B>, C>> range(const A& begin, const B& end,
                                                                const C& step, range_options = {})
    TL_CPU(using I = detail::Index<detail::Index<A, B>, C>; return {
        static_cast<I>(begin), static_cast<I>(step), detail::tripCount(begin, end, step)};);

// A loop that is unrolled completely: static_range<N>(), static_range<A, B>(), static_range<A, B,
// S>().
template <int N>
TL_OP("static_range")
detail::IndexRange<int> static_range() TL_CPU(return {0, 1, detail::tripCount(0, N, 1)};);
template <int A, int B, int S = 1>
  requires(S != 0)
TL_OP("static_range")
detail::IndexRange<int> static_range() TL_CPU(return {A, S, detail::tripCount(A, B, S)};);

namespace detail {
template <class F, int... I>
constexpr void callEach(F& f, Indices<I...>) {
  if constexpr (sizeof...(I) > 0) (f(constant<I>{}), ...);
}
}  // namespace detail

// f(constant<0>{}), ..., f(constant<N - 1>{}): the body may use the index as a template argument.
// In tile2cu the body calls f as well: the front end finds the specializations of its call operator
// there.
template <int N, class F>
  requires(N >= 0 && N <= 256)
TL_OP("static_for")
constexpr void static_for(F&& f) {
  detail::callEach(f, detail::MakeIndices<N>{});
}
template <int N, class F>
  requires(N > 256)
TL_REJECT(
    "static_for is limited to 256 iterations; use static_range, or range(...), which is not "
    "unrolled")
void static_for(F&&);

// The items of a persistent program: b, b + programs, b + 2 * programs, ... below n, where b is its
// id. In a kernel without `grid` it also sets the grid, to min(n, number of programs that are
// resident at a time).
TL_OP("persistent_range")
TL_INLINE detail::IndexRange<std::int64_t> persistent_range(std::int64_t n, range_options = {})
    TL_CPU(const auto slice = cpu::persistentSlice(n);
           return {slice.first, slice.step, detail::tripCount(slice.first, n, slice.step)};);
// As persistent_range, with any schedule that hands out the items in order.
TL_OP("dynamic_range")
TL_INLINE detail::IndexRange<std::int64_t> dynamic_range(std::int64_t n, range_options = {})
    TL_CPU(return persistent_range(n););

}  // namespace tl
