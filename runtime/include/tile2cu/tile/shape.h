// Shapes at compile time: a small structural value, and the rules of broadcasting, axes and
// reshaping. A function without a valid result returns a shape of negative rank.
#pragma once

namespace tl {

template <class T, int... D>
struct tile;

namespace detail {

inline constexpr int kMaxRank = 8;

struct Dims {
  int rank = 0;
  int d[kMaxRank] = {};
};

// Not operator==: a comparison must not look up the operators of the language.
constexpr bool sameDims(const Dims& a, const Dims& b) {
  if (a.rank != b.rank) return false;
  for (int k = 0; k < a.rank; ++k)
    if (a.d[k] != b.d[k]) return false;
  return true;
}

inline constexpr int kAllAxes = 1 << 20;  // as the axis of a reduction
inline constexpr Dims kNoDims = {-1, {}};

template <int... D>
constexpr Dims dimsFrom() {
  static_assert(sizeof...(D) <= kMaxRank, "a tile has at most 8 dimensions");
  return Dims{static_cast<int>(sizeof...(D)), {D...}};
}

constexpr int numel(const Dims& s) {
  int n = 1;
  for (int k = 0; k < s.rank; ++k) n *= s.d[k];
  return n;
}

// NumPy's rule: shapes are aligned at the last dimension, and a dimension of 1 is repeated.
constexpr Dims broadcastDims(const Dims& a, const Dims& b) {
  if (a.rank < 0 || b.rank < 0) return kNoDims;
  Dims out;
  out.rank = a.rank > b.rank ? a.rank : b.rank;
  for (int k = 0; k < out.rank; ++k) {
    const int ka = k - (out.rank - a.rank);
    const int kb = k - (out.rank - b.rank);
    const int da = ka < 0 ? 1 : a.d[ka];
    const int db = kb < 0 ? 1 : b.d[kb];
    if (da != db && da != 1 && db != 1) return kNoDims;
    out.d[k] = da == 1 ? db : da;
  }
  return out;
}

// True if `from` broadcasts to exactly `to`.
constexpr bool broadcastsTo(const Dims& from, const Dims& to) {
  return sameDims(broadcastDims(from, to), to);
}

// A negative axis counts from the end. `rank` is -1 or less for an axis out of range.
constexpr int normalAxis(int axis, int rank) {
  return axis < 0 ? (axis + rank < 0 ? -1 : axis + rank) : (axis < rank ? axis : -1);
}

constexpr Dims removeAxis(const Dims& s, int axis) {
  Dims out;
  for (int k = 0; k < s.rank; ++k)
    if (k != axis) out.d[out.rank++] = s.d[k];
  return out;
}

constexpr Dims insertAxis(const Dims& s, int axis, int size) {
  Dims out;
  out.rank = s.rank + 1;
  for (int k = 0, from = 0; k < out.rank; ++k) out.d[k] = k == axis ? size : s.d[from++];
  return out;
}

constexpr Dims setAxis(Dims s, int axis, int size) {
  s.d[axis] = size;
  return s;
}

constexpr Dims allOnes(Dims s) {
  for (int k = 0; k < s.rank; ++k) s.d[k] = 1;
  return s;
}

// The order of `permute`, with negative entries resolved; an invalid order if an axis is missing or
// repeated.
constexpr Dims normalOrder(Dims order, int rank) {
  if (order.rank != rank) return kNoDims;
  bool seen[kMaxRank] = {};
  for (int k = 0; k < rank; ++k) {
    const int axis = normalAxis(order.d[k], rank);
    if (axis < 0 || seen[axis]) return kNoDims;
    seen[axis] = true;
    order.d[k] = axis;
  }
  return order;
}

constexpr Dims permuteDims(const Dims& s, const Dims& order) {
  Dims out;
  out.rank = s.rank;
  for (int k = 0; k < s.rank; ++k) out.d[k] = s.d[order.d[k]];
  return out;
}

constexpr Dims catDims(const Dims& a, const Dims& b, int axis) {
  if (a.rank != b.rank || axis < 0) return kNoDims;
  if (!sameDims(setAxis(a, axis, 1), setAxis(b, axis, 1))) return kNoDims;
  return setAxis(a, axis, a.d[axis] + b.d[axis]);
}

template <int... I>
struct Indices {};

#if defined(__clang__)
template <class, int... I>
using IndicesOf = Indices<I...>;
template <int N>
using MakeIndices = __make_integer_seq<IndicesOf, int, N>;
#else
template <int N>
using MakeIndices = Indices<__integer_pack(N)...>;
#endif

// A shape as a type; that of a scalar is Extents<>. With<T> is the tile or scalar of this shape;
// void stays void.
template <class T>
struct Lift {
  template <int... D>
  using Tile = tile<T, D...>;
};
template <>
struct Lift<void> {
  template <int...>
  using Tile = void;
};
template <int... D>
struct Extents {
  template <class T>
  using With = typename Lift<T>::template Tile<D...>;
};
template <>
struct Extents<> {
  template <class T>
  using With = T;
};
struct NoExtents {
  template <class>
  using With = void;
};

template <auto S, class = MakeIndices<(S.rank > 0 ? S.rank : 0)>>
struct ExtentsFrom;
template <auto S, int... I>
struct ExtentsFrom<S, Indices<I...>> {
  using type = Extents<S.d[I]...>;
};
template <auto S>
  requires(S.rank < 0)
struct ExtentsFrom<S, Indices<>> {
  using type = NoExtents;
};

// tile<T, S...>; a scalar T if the rank is 0.
template <class T, auto S>
using Make = typename ExtentsFrom<S>::type::template With<T>;

}  // namespace detail
}  // namespace tl
