// Functions that are written in the tile language itself: the front end inlines them, the CPU runs
// them. 16-bit types compute in float and round once at the end.
#pragma once

#include "math.h"
#include "reduce.h"

namespace tl {

namespace detail {
template <class X>
using ComputeType = ComputeOf<ElementOf<X>>;
}  // namespace detail

// Whether x is NaN; infinite; neither. The result is a mask of x's shape, or a bool.
template <class X>
  requires detail::Floating<X>
__tile__ auto isnan(const X& x) {
  return x != x;
}
template <class X>
  requires detail::Floating<X>
__tile__ auto isinf(const X& x) {
  using F = detail::ComputeType<X>;
  return abs(cast<F>(x)) == F(inf);
}
template <class X>
  requires detail::Floating<X>
__tile__ auto isfinite(const X& x) {
  using F = detail::ComputeType<X>;
  return abs(cast<F>(x)) < F(inf);
}

// 1 / (1 + exp(-x)).
template <class X>
  requires detail::Floating<X>
__tile__ X sigmoid(const X& x) {
  using F = detail::ComputeType<X>;
  return cast<detail::ElementOf<X>>(F(1) / (F(1) + exp(-cast<F>(x))));
}

// x * sigmoid(x).
template <class X>
  requires detail::Floating<X>
__tile__ X silu(const X& x) {
  using F = detail::ComputeType<X>;
  auto input = cast<F>(x);
  auto silu = input / (F(1) + exp(-input));
  return cast<detail::ElementOf<X>>(silu);
}

// x times the cumulative distribution function of the normal distribution at x.
template <class X>
  requires detail::Floating<X>
__tile__ X gelu(const X& x) {
  using F = detail::ComputeType<X>;
  auto input = cast<F>(x);
  return cast<detail::ElementOf<X>>(F(0.5) * input *
                                    (F(1) + erf(input * F(0.70710678118654752440))));
}

// gelu by the usual tanh formula:
//   x (1 + tanh(u)) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3)
//   (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 u))
//   -2 u log2(e) = -x (2.302... + 0.1029... x^2)
template <class X>
  requires detail::Floating<X>
__tile__ X gelu(const X& x, tanh_approx_t) {
  using F = detail::ComputeType<X>;
  auto input = cast<F>(x);
  auto decay =
      exp2(-input * (F(2.3022081981443248891) + F(0.10294323958002348742) * input * input));
  return cast<detail::ElementOf<X>>(input / (F(1) + decay));
}

// The tanh formula with fast_tanh, which needs one special function per element instead of two: the
// error is up to |x| 2^-12, half a unit in the last place of a float16 of that magnitude.
template <class X>
  requires detail::Floating<X>
__tile__ X gelu(const X& x, fast_tanh_approx_t) {
  using F = detail::ComputeType<X>;
  auto input = cast<F>(x);
  auto halved = F(0.5) * input;
  auto u = input * (F(0.79788456080286535588) + F(0.035677408136300125) * input * input);
  return cast<detail::ElementOf<X>>(halved + halved * fast_tanh(u));
}

// exp(x - max) / sum(exp(x - max)) along the axis.
template <int Axis = 0, class T, int... D>
  requires(detail::isFloating<T> && detail::HasAxis<tile<T, D...>, Axis>)
__tile__ tile<T, D...> softmax(const tile<T, D...>& x) {
  auto input = cast<detail::ComputeOf<T>>(x);
  auto numerator = exp(input - max<Axis>(input, keep_dims));
  return cast<T>(numerator / sum<Axis>(numerator, keep_dims));
}
template <int Axis = 0, class T, int... D>
  requires(!(detail::isFloating<T> && detail::HasAxis<tile<T, D...>, Axis>))
TL_REJECT("softmax<axis>(x): x must hold floats, and the axis must be one of its axes")
tile<T, D...> softmax(const tile<T, D...>& x);

}  // namespace tl
