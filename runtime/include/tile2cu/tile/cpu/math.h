// Reference of the float functions: the C++ library's, on float or double.
#pragma once

#include <cfenv>
#include <cmath>

#include "elementwise.h"

namespace tl::cpu {

// The number whose error function is x. It starts with Winitzki's approximation ("A handy
// approximation for the error function and its inverse", 2008), off by less than 0.3%, and takes
// three steps of Halley's method; near 1 on erfc, which has the digits there.
inline double inverseErf(double x) {
  const double magnitude = std::fabs(x);
  if (!(magnitude < 1)) return magnitude == 1 ? std::copysign(HUGE_VAL, x) : NAN;
  const double a = 0.147, l = std::log1p(-magnitude * magnitude);
  const double b = 2 / (M_PI * a) + l / 2;
  double t = std::sqrt(std::sqrt(b * b - l / a) - b);
  for (int step = 0; step < 3; ++step) {
    const double off = magnitude < 0.5 ? std::erf(t) - magnitude : (1 - magnitude) - std::erfc(t);
    const double newton = off / (2 / std::sqrt(M_PI) * std::exp(-t * t));
    t -= newton / (1 + t * newton);
  }
  return std::copysign(t, x);
}

// Rounds in a direction of <cfenv> while it exists.
class Direction {
 public:
  explicit Direction(int direction) : before_(std::fegetround()) { std::fesetround(direction); }
  ~Direction() { std::fesetround(before_); }
  Direction(const Direction&) = delete;

 private:
  int before_;
};
// Volatile operands are not read before the direction is set, and a volatile result is computed
// before it is set back. Neither is contracted.
template <class F>
F add(int direction, F a, F b) {
  volatile F x = a, y = b, result;
  const Direction scope(direction);
  result = x + y;
  return result;
}
template <class F>
F mul(int direction, F a, F b) {
  volatile F x = a, y = b, result;
  const Direction scope(direction);
  result = x * y;
  return result;
}
template <class F>
F fma(int direction, F a, F b, F c) {
  volatile F x = a, y = b, z = c, result;
  const Direction scope(direction);
  result = std::fma(F(x), F(y), F(z));
  return result;
}

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
template <class F> F trunc(F x) { return std::trunc(x); }
template <class F> F round(F x) { return std::round(x); }
template <class F> F asin(F x) { return std::asin(x); }
template <class F> F acos(F x) { return std::acos(x); }
template <class F> F atan(F x) { return std::atan(x); }
template <class F> F sinh(F x) { return std::sinh(x); }
template <class F> F cosh(F x) { return std::cosh(x); }
template <class F> F asinh(F x) { return std::asinh(x); }
template <class F> F acosh(F x) { return std::acosh(x); }
template <class F> F atanh(F x) { return std::atanh(x); }
template <class F> F expm1(F x) { return std::expm1(x); }
template <class F> F log10(F x) { return std::log10(x); }
template <class F> F log1p(F x) { return std::log1p(x); }
template <class F> F cbrt(F x) { return std::cbrt(x); }
template <class F> F erfc(F x) { return std::erfc(x); }
template <class F> F lgamma(F x) { return std::lgamma(x); }
template <class F> F tgamma(F x) { return std::tgamma(x); }
template <class F> F exp10(F x) { return ::exp10(double(x)); }
template <class F> F erfinv(F x) { return inverseErf(x); }
template <class F> F pow(F x, F y) { return std::pow(x, y); }
template <class F> F hypot(F x, F y) { return std::hypot(x, y); }
template <class F> F atan2(F x, F y) { return std::atan2(x, y); }
template <class F> F copysign(F x, F y) { return std::copysign(x, y); }
template <class F> F fmod(F x, F y) { return std::fmod(x, y); }
template <class F> F remainder(F x, F y) { return std::remainder(x, y); }
template <class F> F nextafter(F x, F y) { return std::nextafter(x, y); }
template <class F> F div_rn(F x, F y) { return x / y; }
template <class F> F fdiv(F x, F y) { return x / y; }
// clang-format on

}  // namespace tl::cpu
