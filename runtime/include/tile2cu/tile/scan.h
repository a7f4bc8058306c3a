// Inclusive scans along one axis; `reverse` starts at the end. The axis is 0 by default.
#pragma once

#include "reduce.h"

namespace tl {

#define TL_SCAN(NAME)                                                                         \
  template <int Axis = 0, class T, int... D, class... O>                                      \
    requires(detail::isArithmetic<T> && detail::HasAxis<tile<T, D...>, Axis> &&               \
             (detail::isScanOption<O> && ...))                                                \
  TL_OP(#NAME)                                                                                \
  tile<detail::SumOf<T>, D...> NAME(const tile<T, D...>& x, O...) TL_CPU(                     \
      return cpu::NAME<detail::normalAxis(Axis, sizeof...(D)), tile<detail::SumOf<T>, D...>>( \
                 x, detail::hasOption<reverse_t, O...>););                                    \
  template <int Axis = 0, class T, int... D, class... O>                                      \
    requires(!detail::HasAxis<tile<T, D...>, Axis>)                                           \
  TL_REJECT(TL_AXIS)                                                                          \
  tile<detail::SumOf<T>, D...> NAME(const tile<T, D...>& x, O...);

TL_SCAN(cumsum)
TL_SCAN(cumprod)
#undef TL_SCAN

// associative_scan<axis>(x or tuple(a, b, ...), combine [, reverse]): element i is
// combine(...combine(x0, x1)..., xi). combine is associative; its first argument is the result for
// the elements so far.
template <int Axis, class T, int... D, class F, class... O>
  requires(detail::HasAxis<tile<T, D...>, Axis> && detail::Combines<F, T> &&
           (detail::isScanOption<O> && ...))
TL_OP("associative_scan")
tile<T, D...> associative_scan([[maybe_unused]] const tile<T, D...>& x, F combine, O...) {
#if defined(__TILE2CU__)
  combine(detail::sample<T>(), detail::sample<T>());
  __builtin_unreachable();
#else
  return cpu::scan<detail::normalAxis(Axis, sizeof...(D)), tile<T, D...>>(
      x, combine, detail::hasOption<reverse_t, O...>);
#endif
}

template <int Axis, template <class...> class Tuple, class... X, class F, class... O>
  requires(detail::OneShape<X...> && (detail::HasAxis<X, Axis> && ...) &&
           detail::Combines<F, Tuple<detail::ElementOf<X>...>> && (detail::isScanOption<O> && ...))
TL_OP("associative_scan")
Tuple<X...> associative_scan([[maybe_unused]] const Tuple<X...>& x, F combine, O...) {
  using Scalars = Tuple<detail::ElementOf<X>...>;
#if defined(__TILE2CU__)
  combine(detail::sample<Scalars>(), detail::sample<Scalars>());
  __builtin_unreachable();
#else
  constexpr detail::Dims dims = detail::firstDims<X...>;
  return cpu::scanTuple<detail::normalAxis(Axis, dims.rank), dims, Scalars>(
      x, combine, detail::hasOption<reverse_t, O...>);
#endif
}

template <int Axis, class T, int... D, class F, class... O>
  requires(!detail::HasAxis<tile<T, D...>, Axis>)
TL_REJECT(TL_AXIS)
tile<T, D...> associative_scan(const tile<T, D...>& x, F combine, O...);
template <int Axis, class T, int... D, class F, class... O>
  requires(detail::HasAxis<tile<T, D...>, Axis> && !detail::Combines<F, T>)
TL_REJECT("combine must take two elements of the tile and return one")
tile<T, D...> associative_scan(const tile<T, D...>& x, F combine, O...);
template <int Axis, template <class...> class Tuple, class... X, class F, class... O>
  requires((detail::isTile<X> && ...) &&
           !(detail::OneShape<X...> && (detail::HasAxis<X, Axis> && ...)))
TL_REJECT("the tiles of a tuple scan must have one shape, and the axis must be one of its axes")
Tuple<X...> associative_scan(const Tuple<X...>& x, F combine, O...);
template <int Axis, template <class...> class Tuple, class... X, class F, class... O>
  requires(detail::OneShape<X...> && (detail::HasAxis<X, Axis> && ...) &&
           !detail::Combines<F, Tuple<detail::ElementOf<X>...>>)
TL_REJECT("combine must take two tuples of scalars, one scalar for each tile, and return one")
Tuple<X...> associative_scan(const Tuple<X...>& x, F combine, O...);

}  // namespace tl
