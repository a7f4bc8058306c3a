// Reference of the float functions: the C++ library's, on float or double.
#pragma once

#include <cmath>

#include "elementwise.h"

namespace tl::cpu {

// clang-format off
template <class F> F exp(F x) { return std::exp(x); }
template <class F> F exp2(F x) { return std::exp2(x); }
template <class F> F log(F x) { return std::log(x); }
template <class F> F log2(F x) { return std::log2(x); }
template <class F> F sqrt(F x) { return std::sqrt(x); }
template <class F> F sqrt_rn(F x) { return std::sqrt(x); }
template <class F> F rsqrt(F x) { return 1 / std::sqrt(x); }
template <class F> F sin(F x) { return std::sin(x); }
template <class F> F cos(F x) { return std::cos(x); }
template <class F> F tan(F x) { return std::tan(x); }
template <class F> F tanh(F x) { return std::tanh(x); }
template <class F> F fast_tanh(F x) { return std::tanh(x); }
template <class F> F erf(F x) { return std::erf(x); }
template <class F> F floor(F x) { return std::floor(x); }
template <class F> F ceil(F x) { return std::ceil(x); }
// Halves to even, whatever the direction of rounding is: both operations are exact.
template <class F> F rint(F x) {
  return std::isfinite(x) ? std::copysign(x - std::remainder(x, F(1)), x) : x;
}
template <class F> F pow(F x, F y) { return std::pow(x, y); }
template <class F> F hypot(F x, F y) { return std::hypot(x, y); }
template <class F> F div_rn(F x, F y) { return x / y; }
template <class F> F fdiv(F x, F y) { return x / y; }
// clang-format on

}  // namespace tl::cpu
