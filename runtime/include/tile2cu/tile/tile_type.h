// The tile: a value of fixed shape, rank 1 to 8, each dimension at least 1.
#pragma once

#include "config.h"
#include "options.h"
#include "types.h"

#if !defined(__TILE2CU__)
#include "cpu/storage.h"
#endif

namespace tl {

namespace detail {

// The shape of x[i...]: `none` inserts a dimension of 1, `all` keeps one, slice<A, B> keeps
// elements A to B - 1 of one; dimensions without a subscript are kept.
struct SubscriptKind {
  bool valid = false;
  bool is_new = false;
  bool is_slice = false;
  int begin = 0;
  int end = 0;
};
template <class I>
inline constexpr SubscriptKind subscriptKind = {};
template <>
inline constexpr SubscriptKind subscriptKind<all_t> = {true, false, false, 0, 0};
template <>
inline constexpr SubscriptKind subscriptKind<none_t> = {true, true, false, 0, 0};
template <int A, int B>
inline constexpr SubscriptKind subscriptKind<slice_t<A, B>> = {true, false, true, A, B};

constexpr Dims subscriptDims(const Dims& s, const SubscriptKind* subscripts, int count) {
  Dims out;
  int from = 0;
  for (int k = 0; k < count || from < s.rank; ++k) {
    const SubscriptKind i = k < count ? subscripts[k] : subscriptKind<all_t>;
    if (!i.valid || out.rank >= kMaxRank || (!i.is_new && from >= s.rank)) return kNoDims;
    const int size = i.is_new ? 1 : s.d[from++];
    if (i.is_slice && !(0 <= i.begin && i.begin < i.end && i.end <= size)) return kNoDims;
    out.d[out.rank++] = i.is_slice ? i.end - i.begin : size;
  }
  return out;
}
template <class... I>
constexpr Dims subscriptDims(const Dims& s) {
  const SubscriptKind subscripts[] = {subscriptKind<I>...};
  return subscriptDims(s, subscripts, sizeof...(I));
}

// A separate class, so that instantiating a tile's type does not instantiate the shapes of all
// subscripts.
template <class X, class... I>
struct Subscript {
  static constexpr Dims kDims = subscriptDims<I...>(dimsOf<X>);
  static constexpr bool kOk = kDims.rank > 0;
  using type = Make<ElementOf<X>, kDims>;
};

}  // namespace detail

#define TL_SUBSCRIPT                                                                               \
  "a tile is subscripted with all, none and slice<A, B>, inside its dimensions; extract(x, i...) " \
  "is an element"

template <class T, int... D>
struct tile {
  static_assert(sizeof...(D) > 0, "a tile has at least one dimension; a single value is a scalar");
  static_assert(((D > 0) && ...), "every dimension of a tile must be at least 1");
  static_assert(detail::isElement<T>, "a tile holds bool, integers, floats or pointers");

  using element = T;
  static constexpr int rank = sizeof...(D);
  static constexpr int size = (1 * ... * D);
  static constexpr int dim(int axis) {
    return detail::dimsFrom<D...>().d[detail::normalAxis(axis, rank)];
  }

  // Zeros.
  TL_OP("zeros") tile() TL_CPU();
  TL_OP("assign") tile& operator=(const tile&) = default;
#if !defined(__TILE2CU__)
  tile(const tile&) = default;
  tile(tile&&) = default;
  tile& operator=(tile&&) = default;
#endif

  // Assignments also come here, so that the operand is converted.
  template <class U, int... E>
  TL_REJECT(
      "the tiles differ in element type or shape: convert with cast<T>(x), reshape<...>(x) or "
      "broadcast_to<...>(x)")
  tile(const tile<U, E...>& other);
  template <class S>
    requires detail::Scalar<S>
  TL_REJECT("a scalar is not a tile: write full<T, D...>(value)")
  tile& operator=(const S& value);
  TL_REJECT("a tile cannot be used as a condition: reduce it with any(x) or all_of(x)")
  explicit operator bool() const;

  template <class... I>
    requires detail::Subscript<tile, I...>::kOk
  TL_OP("subscript")
  typename detail::Subscript<tile, I...>::type operator[](I...) const
      TL_CPU(return cpu::subscript<I...>(*this););
  template <class... I>
    requires(!detail::Subscript<tile, I...>::kOk)
  TL_REJECT(TL_SUBSCRIPT)
#if defined(__clang__)
  typename detail::Conditional<(detail::Integral<I> && ...), T, tile>::type operator[](
      const I&...) const;
#else  // g++ 12 ignores the attribute of a subscript with several arguments
  tile operator[](const I&...) const {
    static_assert(sizeof...(I) == 0, TL_SUBSCRIPT);
    return *this;
  }
#endif
#undef TL_SUBSCRIPT

#if !defined(__TILE2CU__)
  // For tests and debuggers: the elements in row-major order.
  T* data() { return elements_.get(); }
  const T* data() const { return elements_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size; }

 private:
  cpu::HeapArray<T, size> elements_;
#endif
};

}  // namespace tl
