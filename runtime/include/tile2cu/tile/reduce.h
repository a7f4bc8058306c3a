// Reductions. f(x) reduces all axes to a scalar; f<axis>(x) reduces one axis, to a scalar if it is
// the only one; keep_dims keeps each reduced axis as a dimension of 1.
#pragma once

#include "arithmetic.h"

#if !defined(__TILE2CU__)
#include "cpu/reduce.h"
#endif

namespace tl {

namespace detail {

// clang-format off
// sum of 16-bit floats is float; of integers it has at least 32 bits; of bool it is int.
template <class T> struct Sum { using type = T; };
template <> struct Sum<bool> { using type = int; };
template <> struct Sum<signed char> { using type = int; };
template <> struct Sum<short> { using type = int; };
template <> struct Sum<unsigned char> { using type = unsigned; };
template <> struct Sum<unsigned short> { using type = unsigned; };
template <> struct Sum<float16> { using type = float; };
template <> struct Sum<bfloat16> { using type = float; };
template <class T> using SumOf = typename Sum<T>::type;
template <class T> using SameOf = T;
template <class T> using IndexOf = int;
template <class T> using TruthOf = bool;
// clang-format on

constexpr Dims reducedDims(const Dims& s, int axis, bool keep) {
  if (axis == kAllAxes) return keep ? allOnes(s) : Dims{};
  return keep ? setAxis(s, normalAxis(axis, s.rank), 1) : removeAxis(s, normalAxis(axis, s.rank));
}
template <class T, int Axis, auto S, class... O>
using Reduced = Make<T, reducedDims(S, Axis, hasOption<keep_dims_t, O...>)>;

template <class X, int Axis>
concept HasAxis = isTile<X> && normalAxis(Axis, dimsOf<X>.rank) >= 0;

}  // namespace detail

// NAME, the element of its result, the allowed options, the allowed elements, and the name of the
// reference.
#define TL_REDUCTION(NAME, RESULT, OPTION, ELEMENT)                                              \
  template <class T, int... D, class... O>                                                       \
    requires(detail::ELEMENT<T> && (detail::OPTION<O> && ...))                                   \
  TL_OP(#NAME)                                                                                   \
  detail::Reduced<detail::RESULT<T>, detail::kAllAxes, detail::dimsFrom<D...>(), O...> NAME(     \
      const tile<T, D...>& x, O...)                                                              \
      TL_CPU(return cpu::NAME<detail::kAllAxes,                                                  \
                              detail::Reduced<detail::RESULT<T>, detail::kAllAxes,               \
                                              detail::dimsFrom<D...>(), O...>,                   \
                              detail::hasOption<propagate_nan_t, O...>>(x););                    \
  template <int Axis, class T, int... D, class... O>                                             \
    requires(detail::ELEMENT<T> && (detail::OPTION<O> && ...) &&                                 \
             detail::HasAxis<tile<T, D...>, Axis>)                                               \
  TL_OP(#NAME)                                                                                   \
  detail::Reduced<detail::RESULT<T>, Axis, detail::dimsFrom<D...>(), O...>                       \
  NAME(const tile<T, D...>& x, O...) TL_CPU(                                                     \
      return cpu::NAME<detail::normalAxis(Axis, sizeof...(D)),                                   \
                       detail::Reduced<detail::RESULT<T>, Axis, detail::dimsFrom<D...>(), O...>, \
                       detail::hasOption<propagate_nan_t, O...>>(x););                           \
  template <int Axis, class T, int... D, class... O>                                             \
    requires(!detail::HasAxis<tile<T, D...>, Axis>)                                              \
  TL_REJECT(TL_AXIS)                                                                             \
  tile<detail::RESULT<T>, D...> NAME(const tile<T, D...>& x, O...);

TL_REDUCTION(sum, SumOf, isReduceOption, isArithmetic)
TL_REDUCTION(max, SameOf, isExtremeOption, isArithmetic)  // NaN is ignored unless propagate_nan
TL_REDUCTION(min, SameOf, isExtremeOption, isArithmetic)
TL_REDUCTION(argmax, IndexOf, isReduceOption,
             isArithmetic)  // the lowest index of equal values; NaN is ignored
TL_REDUCTION(argmin, IndexOf, isReduceOption, isArithmetic)
TL_REDUCTION(xor_sum, SameOf, isReduceOption, isInteger)
TL_REDUCTION(any, TruthOf, isReduceOption, isArithmetic)     // some element is not 0
TL_REDUCTION(all_of, TruthOf, isReduceOption, isArithmetic)  // no element is 0
#undef TL_REDUCTION

// A second argument of max and min is the other operand.
#define TL_AXIS_ARGUMENT(NAME, RESULT)                                        \
  template <class T, int... D, class... O>                                    \
  TL_REJECT("the axis is a template argument: " #NAME "<axis>(x)")            \
  detail::Reduced<detail::RESULT<T>, 0, detail::dimsFrom<D...>(), O...> NAME( \
      const tile<T, D...>& x, int axis, O...);

TL_AXIS_ARGUMENT(sum, SumOf)
TL_AXIS_ARGUMENT(argmax, IndexOf)
TL_AXIS_ARGUMENT(argmin, IndexOf)
TL_AXIS_ARGUMENT(xor_sum, SameOf)
TL_AXIS_ARGUMENT(any, TruthOf)
TL_AXIS_ARGUMENT(all_of, TruthOf)
#undef TL_AXIS_ARGUMENT

// ---- reduce<axis>(x, combine) and reduce<axis>(tuple(a, b, ...), combine). combine is associative
// and commutative. On tuples (tl::tuple or std::tuple) it takes two tuples of scalars and returns
// one; the tiles have one shape.

namespace detail {
template <class F, class T>
concept Combines = requires(F f, T a, T b) { static_cast<T>(f(a, b)); };
template <class...>
inline constexpr Dims firstDims = kNoDims;
template <class X, class... Y>
inline constexpr Dims firstDims<X, Y...> = dimsOf<X>;
template <class... X>
concept OneShape = sizeof...(X) > 0 && ((isTile<X> && sameDims(dimsOf<X>, firstDims<X...>)) && ...);
}  // namespace detail

// In tile2cu, the bodies only name the specialization of `combine` that the element types choose.
template <int Axis, class T, int... D, class F, class... O>
  requires(detail::HasAxis<tile<T, D...>, Axis> && detail::Combines<F, T> &&
           (detail::isReduceOption<O> && ...))
TL_OP("reduce")
detail::Reduced<T, Axis, detail::dimsFrom<D...>(), O...> reduce(
    [[maybe_unused]] const tile<T, D...>& x, F combine, O...) {
#if defined(__TILE2CU__)
  combine(detail::sample<T>(), detail::sample<T>());
  __builtin_unreachable();
#else
  return cpu::reduce<detail::normalAxis(Axis, sizeof...(D)),
                     detail::Reduced<T, Axis, detail::dimsFrom<D...>(), O...>>(x, combine);
#endif
}

template <int Axis, template <class...> class Tuple, class... X, class F, class... O>
  requires(detail::OneShape<X...> && (detail::HasAxis<X, Axis> && ...) &&
           detail::Combines<F, Tuple<detail::ElementOf<X>...>> &&
           (detail::isReduceOption<O> && ...))
TL_OP("reduce")
Tuple<detail::Reduced<detail::ElementOf<X>, Axis, detail::dimsOf<X>, O...>...> reduce(
    [[maybe_unused]] const Tuple<X...>& x, F combine, O...) {
  using Scalars = Tuple<detail::ElementOf<X>...>;
#if defined(__TILE2CU__)
  combine(detail::sample<Scalars>(), detail::sample<Scalars>());
  __builtin_unreachable();
#else
  constexpr detail::Dims dims = detail::firstDims<X...>;
  return cpu::reduceTuple<detail::normalAxis(Axis, dims.rank), dims, Scalars,
                          Tuple<detail::Reduced<detail::ElementOf<X>, Axis, dims, O...>...>>(
      x, combine);
#endif
}

template <int Axis, class T, int... D, class F, class... O>
  requires(!detail::HasAxis<tile<T, D...>, Axis>)
TL_REJECT(TL_AXIS)
tile<T, D...> reduce(const tile<T, D...>& x, F combine, O...);
template <int Axis, class T, int... D, class F, class... O>
  requires(detail::HasAxis<tile<T, D...>, Axis> && !detail::Combines<F, T>)
TL_REJECT("combine must take two elements of the tile and return one")
tile<T, D...> reduce(const tile<T, D...>& x, F combine, O...);
template <int Axis, template <class...> class Tuple, class... X, class F, class... O>
  requires((detail::isTile<X> && ...) &&
           !(detail::OneShape<X...> && (detail::HasAxis<X, Axis> && ...)))
TL_REJECT(
    "the tiles of a tuple reduction must have one shape, and the axis must be one of its axes")
Tuple<X...> reduce(const Tuple<X...>& x, F combine, O...);
template <int Axis, template <class...> class Tuple, class... X, class F, class... O>
  requires(detail::OneShape<X...> && (detail::HasAxis<X, Axis> && ...) &&
           !detail::Combines<F, Tuple<detail::ElementOf<X>...>>)
TL_REJECT("combine must take two tuples of scalars, one scalar for each tile, and return one")
Tuple<X...> reduce(const Tuple<X...>& x, F combine, O...);

}  // namespace tl
