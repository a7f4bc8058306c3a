// The tile: a value of fixed shape, rank 1 to 8, each dimension at least 1.
#pragma once

#include "config.h"
#include "options.h"
#include "types.h"

#if !defined(__TILE2CU__)
#include "cpu_storage.h"
#endif

namespace tl {

namespace detail {

// The shape of x[i...]: `none` inserts a dimension of 1, `all` keeps one, slice<A, B> keeps A to B - 1 of
// one; dimensions that are not mentioned are kept.
template <class I>
struct SubscriptKind {
  static constexpr bool kValid = false;
};
template <>
struct SubscriptKind<all_t> {
  static constexpr bool kValid = true, kNew = false, kSlice = false;
  static constexpr int kBegin = 0, kEnd = -1;
};
template <>
struct SubscriptKind<none_t> {
  static constexpr bool kValid = true, kNew = true, kSlice = false;
  static constexpr int kBegin = 0, kEnd = 1;
};
template <int A, int B>
struct SubscriptKind<slice_t<A, B>> {
  static constexpr bool kValid = true, kNew = false, kSlice = true;
  static constexpr int kBegin = A, kEnd = B;
};

template <class... I>
constexpr Dims subscriptDims(const Dims& s) {
  Dims out;
  int from = 0;
  bool ok = true;
  auto one = [&](bool is_new, bool is_slice, int begin, int end) {
    if (out.rank >= kMaxRank || (!is_new && from >= s.rank)) {
      ok = false;
    } else if (is_new) {
      out.d[out.rank++] = 1;
    } else {
      const int size = s.d[from++];
      ok = ok && (!is_slice || (0 <= begin && begin < end && end <= size));
      out.d[out.rank++] = is_slice ? end - begin : size;
    }
  };
  (one(SubscriptKind<I>::kNew, SubscriptKind<I>::kSlice, SubscriptKind<I>::kBegin,
       SubscriptKind<I>::kEnd),
   ...);
  while (ok && from < s.rank) {
    if (out.rank >= kMaxRank) return kNoDims;
    out.d[out.rank++] = s.d[from++];
  }
  return ok ? out : kNoDims;
}

template <class... I>
concept Subscripts = (SubscriptKind<I>::kValid && ...);
template <class... I>
inline constexpr bool anySlice = (SubscriptKind<I>::kSlice || ...);
template <int... D, class... I>
constexpr Dims subscripted(Indices<D...>, Type<I>...) {
  return subscriptDims<I...>(dimsFrom<D...>());
}

}  // namespace detail

template <class T, int... D>
struct tile {
  static_assert(sizeof...(D) > 0, "a tile has at least one dimension; a single value is a scalar");
  static_assert(((D > 0) && ...), "every dimension of a tile is at least 1");
  static_assert(detail::isElement<T>, "a tile holds bool, integers, floats or pointers");

  using element = T;
  static constexpr int rank = sizeof...(D);
  static constexpr int size = (1 * ... * D);
  static constexpr int dim(int axis) {
    return detail::dimsFrom<D...>().d[detail::normalAxis(axis, rank)];
  }

  // Zeros.
  TL_OP("zeros") tile() TL_CPU()
  tile(const tile&) = default;
  TL_OP("assign") tile& operator=(const tile&) = default;
#if !defined(__TILE2CU__)
  tile(tile&&) = default;
  tile& operator=(tile&&) = default;
#endif

  template <class U, int... E>
  TL_REJECT("the tiles differ in element type or shape: convert with cast<T>(x), reshape<...>(x) or "
            "broadcast_to<...>(x)")
  tile(const tile<U, E...>& other);
  template <class U, int... E>
  TL_REJECT("the tiles differ in element type or shape: convert with cast<T>(x), reshape<...>(x) or "
            "broadcast_to<...>(x)")
  tile& operator=(const tile<U, E...>& other);
  template <class S>
    requires detail::Scalar<S>
  TL_REJECT("a scalar is no tile: write full<T, D...>(value)")
  tile& operator=(const S& value);
  TL_REJECT("a tile is no condition: reduce it with any(x) or all_of(x)")
  explicit operator bool() const;

  template <class... I>
    requires(detail::Subscripts<I...> && !detail::anySlice<I...> &&
             detail::subscriptDims<I...>(detail::dimsFrom<D...>()).rank > 0)
  TL_OP("subscript")
  detail::Make<T, detail::subscriptDims<I...>(detail::dimsFrom<D...>())> operator[](I...) const
      TL_CPU(return cpu::subscript<I...>(*this);)
  template <class... I>
    requires(detail::Subscripts<I...> && detail::anySlice<I...> &&
             detail::subscriptDims<I...>(detail::dimsFrom<D...>()).rank > 0)
  TL_OP("slice")
  detail::Make<T, detail::subscriptDims<I...>(detail::dimsFrom<D...>())> operator[](I...) const
      TL_CPU(return cpu::subscript<I...>(*this);)
  template <class... I>
    requires(detail::Subscripts<I...> && detail::subscriptDims<I...>(detail::dimsFrom<D...>()).rank < 0)
  TL_REJECT("more subscripts than dimensions, or a slice outside its dimension")
  tile operator[](I...) const;
  template <class... I>
    requires(!detail::Subscripts<I...>)
  TL_REJECT("a tile is subscripted with all, none and slice<A, B>; single elements have no address")
  tile operator[](const I&...) const;

  // a += b is a = a + b, which must have a's type.
#define TL_ASSIGN(OP, NAME, RESULT)                                                               \
  template <class B>                                                                              \
    requires __is_same(detail::RESULT<tile, B>, tile)                                             \
  TL_OP(NAME)                                                                                     \
  tile& operator OP##=(const B & b) TL_CPU(return *this = *this OP b;)                            \
  template <class B>                                                                              \
    requires(detail::Numeric<B> && !__is_same(detail::RESULT<tile, B>, tile) &&                   \
             !__is_same(detail::Offset<tile, B>, tile))                                           \
  TL_REJECT("the result would have another element type or shape than the tile on the left: write " \
            "x = cast<T>(x " #OP " y)")                                                           \
  tile& operator OP##=(const B & b);
  TL_ASSIGN(+, "assign_add", Arith)
  TL_ASSIGN(-, "assign_sub", Arith)
  TL_ASSIGN(*, "assign_mul", Arith)
  TL_ASSIGN(/, "assign_div", Arith)
  TL_ASSIGN(%, "assign_rem", Rem)
  TL_ASSIGN(&, "assign_and", Bits)
  TL_ASSIGN(|, "assign_or", Bits)
  TL_ASSIGN(^, "assign_xor", Bits)
  TL_ASSIGN(<<, "assign_shl", Shift)
  TL_ASSIGN(>>, "assign_shr", Shift)
#undef TL_ASSIGN
  template <class B>
    requires __is_same(detail::Offset<tile, B>, tile)
  TL_OP("assign_addptr")
  tile& operator+=(const B& b) TL_CPU(return *this = *this + b;)
  template <class B>
    requires __is_same(detail::Offset<tile, B>, tile)
  TL_OP("assign_subptr")
  tile& operator-=(const B& b) TL_CPU(return *this = *this - b;)

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
