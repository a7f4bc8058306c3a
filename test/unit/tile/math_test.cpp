// Float functions and the composites written in the tile language.
#include <cmath>
#include <limits>
#include <random>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::fromIndex;
using tile_test::same;

constexpr int kCount = 64;

// f on tiles and scalars of each float type is within one rounding of the double function.
template <class T, class F, class G>
void checkType(F f, G exact, double low, double high, double relative) {
  const auto x = fromIndex<T, kCount>([&](int i) { return low + (high - low) * i / (kCount - 1); });
  const auto y = f(x);
  static_assert(same<decltype(f(x)), tile<T, kCount>>);
  static_assert(same<decltype(f(T(1))), T>);
  for (int i = 0; i < kCount; ++i) {
    const double expected = exact(static_cast<double>(x.data()[i]));
    const double bound = relative * std::fabs(expected) + 1e-300;
    EXPECT_NEAR(static_cast<double>(y.data()[i]), expected, bound)
        << static_cast<double>(x.data()[i]);
    EXPECT_EQ(static_cast<double>(f(x.data()[i])), static_cast<double>(y.data()[i]));
  }
}

template <class F, class G>
void check(F f, G exact, double low, double high) {
  checkType<float>(f, exact, low, high, 0x1p-22);
  checkType<double>(f, exact, low, high, 0x1p-51);
  checkType<float16>(f, exact, low, high, 0x1.01p-11);
  checkType<bfloat16>(f, exact, low, high, 0x1.01p-8);
}

// ---- rounding in a direction, against arithmetic with 113 bits, in which the sums and products of
// these operands are exact

__extension__ using Exact = __float128;

// The number of type F on one side of `exact`: up, or else down.
template <class F>
F bound(Exact exact, bool up) {
  const F near = static_cast<F>(exact);
  if (up) return near < exact ? std::nextafter(near, F(INFINITY)) : near;
  return near > exact ? std::nextafter(near, F(-INFINITY)) : near;
}

template <class F, class Rn, class Rz, class Ru, class Rd>
void expectRounded(Exact exact, Rn rn, Rz rz, Ru ru, Rd rd) {
  const F above = bound<F>(exact, true), below = bound<F>(exact, false);
  EXPECT_EQ(ru, above);
  EXPECT_EQ(rd, below);
  EXPECT_EQ(rz, exact < 0 ? above : below);
  const Exact up = above - exact, down = exact - below;
  if (up != down) EXPECT_EQ(rn, up < down ? above : below);
}

template <class F>
void checkRounded() {
  std::mt19937 random(7);
  const auto number = [&] {
    const auto bits = static_cast<std::int64_t>(random()) << 21 ^ random();
    return static_cast<F>(
               std::ldexp(static_cast<double>(bits), static_cast<int>(random() % 9) - 44)) *
           (random() % 2 == 0 ? 1 : -1);
  };
  for (int i = 0; i < 3000; ++i) {
    const F a = number(), b = number(), c = number();
    expectRounded<F>(Exact(a) + b, add_rn(a, b), add_rz(a, b), add_ru(a, b), add_rd(a, b));
    expectRounded<F>(Exact(a) * b, mul_rn(a, b), mul_rz(a, b), mul_ru(a, b), mul_rd(a, b));
    const F large = a * b;  // so that the product and the sum have 113 bits together
    expectRounded<F>(Exact(a) * b - large, fma_rn(a, b, -large), fma_rz(a, b, -large),
                     fma_ru(a, b, -large), fma_rd(a, b, -large));
    if (sizeof(F) == 4)
      expectRounded<F>(Exact(a) * b + c, fma_rn(a, b, c), fma_rz(a, b, c), fma_ru(a, b, c),
                       fma_rd(a, b, c));
  }
}

TEST(Math, RoundedInADirection) {
  checkRounded<float>();
  checkRounded<double>();
  const auto tiles = mul_ru(full<float, 2>(0.1f), 0.1);
  static_assert(same<decltype(tiles), const tile<float, 2>>);
  EXPECT_EQ(tiles.data()[1], mul_ru(0.1f, 0.1f));
  EXPECT_GT(mul_ru(0.1f, 0.1f), mul_rd(0.1f, 0.1f));
  EXPECT_TRUE(std::signbit(add_rd(1.0f, -1.0f)));
  EXPECT_FALSE(std::signbit(add_rz(1.0f, -1.0f)));
  EXPECT_EQ(add_rz(std::numeric_limits<float>::max(), 1e38f), std::numeric_limits<float>::max());
  EXPECT_EQ(add_ru(std::numeric_limits<float>::max(), 1.0f), INFINITY);
  EXPECT_EQ(mul_ru(1e-30f, 1e-30f), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(1.0f + 0x1p-30f, 1.0f);  // the host's direction is what it was
}

TEST(Math, Unary) {
  check([](auto x) { return tl::exp(x); }, [](double x) { return std::exp(x); }, -8, 8);
  check([](auto x) { return tl::exp2(x); }, [](double x) { return std::exp2(x); }, -8, 8);
  check([](auto x) { return tl::log(x); }, [](double x) { return std::log(x); }, 1.5, 90);
  check([](auto x) { return tl::log2(x); }, [](double x) { return std::log2(x); }, 1.5, 90);
  check([](auto x) { return tl::sqrt(x); }, [](double x) { return std::sqrt(x); }, 0, 90);
  check([](auto x) { return tl::sqrt_rn(x); }, [](double x) { return std::sqrt(x); }, 0, 90);
  check([](auto x) { return tl::rsqrt(x); }, [](double x) { return 1 / std::sqrt(x); }, 0.1, 90);
  check([](auto x) { return tl::sin(x); }, [](double x) { return std::sin(x); }, 0.1, 3);
  check([](auto x) { return tl::cos(x); }, [](double x) { return std::cos(x); }, -1.5, 1.5);
  check([](auto x) { return tl::tan(x); }, [](double x) { return std::tan(x); }, -1.5, 1.5);
  check([](auto x) { return tl::tanh(x); }, [](double x) { return std::tanh(x); }, -5, 5);
  check([](auto x) { return fast_tanh(x); }, [](double x) { return std::tanh(x); }, -5, 5);
  check([](auto x) { return tl::erf(x); }, [](double x) { return std::erf(x); }, -3, 3);
  check([](auto x) { return tl::floor(x); }, [](double x) { return std::floor(x); }, -5, 5);
  check([](auto x) { return tl::ceil(x); }, [](double x) { return std::ceil(x); }, -5, 5);
  check([](auto x) { return tl::rint(x); }, [](double x) { return std::nearbyint(x); }, -5, 5);
  check([](auto x) { return tl::trunc(x); }, [](double x) { return std::trunc(x); }, -5, 5);
  check([](auto x) { return tl::round(x); }, [](double x) { return std::round(x); }, -5, 5);
  check([](auto x) { return tl::asin(x); }, [](double x) { return std::asin(x); }, -1, 1);
  check([](auto x) { return tl::acos(x); }, [](double x) { return std::acos(x); }, -0.9, 0.9);
  check([](auto x) { return tl::atan(x); }, [](double x) { return std::atan(x); }, -5, 5);
  check([](auto x) { return tl::sinh(x); }, [](double x) { return std::sinh(x); }, -5, 5);
  check([](auto x) { return tl::cosh(x); }, [](double x) { return std::cosh(x); }, -5, 5);
  check([](auto x) { return tl::asinh(x); }, [](double x) { return std::asinh(x); }, -5, 5);
  check([](auto x) { return tl::acosh(x); }, [](double x) { return std::acosh(x); }, 1.5, 90);
  check([](auto x) { return tl::atanh(x); }, [](double x) { return std::atanh(x); }, -0.9, 0.9);
  check([](auto x) { return tl::exp10(x); }, [](double x) { return std::pow(10, x); }, -2, 2);
  check([](auto x) { return tl::expm1(x); }, [](double x) { return std::expm1(x); }, -2, 2);
  check([](auto x) { return tl::log10(x); }, [](double x) { return std::log10(x); }, 1.5, 90);
  check([](auto x) { return tl::log1p(x); }, [](double x) { return std::log1p(x); }, 0.5, 90);
  check([](auto x) { return tl::cbrt(x); }, [](double x) { return std::cbrt(x); }, -9, 9);
  check([](auto x) { return tl::erfc(x); }, [](double x) { return std::erfc(x); }, -3, 2);
  check([](auto x) { return tl::lgamma(x); }, [](double x) { return std::lgamma(x); }, 3, 9);
  check([](auto x) { return tl::tgamma(x); }, [](double x) { return std::tgamma(x); }, 1, 7);
  EXPECT_EQ(tl::round(2.5f), 3.0f);
  EXPECT_EQ(tl::round(-0.5f), -1.0f);
  EXPECT_EQ(tl::trunc(-2.75), -2.0);
  EXPECT_EQ(tl::rint(2.5f), 2.0f);
  EXPECT_TRUE(std::signbit(tl::rint(-0.25f)));
  EXPECT_FALSE(std::signbit(tl::rint(0.25)));
  EXPECT_EQ(tl::rint(-INFINITY), -INFINITY);
  EXPECT_TRUE(std::isnan(tl::rint(NAN)));
  EXPECT_EQ(tl::rint(8388609.0f), 8388609.0f);
  EXPECT_LT(tl::tanh(1e-6f) - 1e-6f, 1e-12f);
}

TEST(Math, InverseErf) {
  for (double x : {1e-300, 1e-8, 0.1, 0.4999, 0.5, 0.9, 0.999999, 1 - 0x1p-53}) {
    // erf, or erfc near 1, gives the argument back: its relative error is that of x.
    const double y = tl::erfinv(x);
    EXPECT_NEAR(x < 0.5 ? std::erf(y) / x : std::erfc(y) / (1 - x), 1, 1e-14) << x;
    EXPECT_EQ(tl::erfinv(-x), -y);
  }
  EXPECT_EQ(tl::erfinv(1.0f), INFINITY);
  EXPECT_EQ(tl::erfinv(-1.0f), -INFINITY);
  EXPECT_TRUE(std::isnan(tl::erfinv(1.5f)) && std::isnan(tl::erfinv(NAN)));
  EXPECT_TRUE(std::signbit(tl::erfinv(-0.0f)));
}

TEST(Math, Classes) {
  for (float v : {0.0f, -1.5f, INFINITY, -INFINITY, NAN}) {
    EXPECT_EQ(tl::isnan(v), std::isnan(v));
    EXPECT_EQ(tl::isinf(float16(v)), std::isinf(v));
    EXPECT_EQ(tl::isfinite(double(v)), std::isfinite(v));
    EXPECT_EQ(tl::isnan(full<float, 2>(v)).data()[1], std::isnan(v));
  }
  static_assert(same<decltype(tl::isinf(tile<bfloat16, 4>())), tile<bool, 4>>);
}

TEST(Math, Remainders) {
  const auto x = fromIndex<float, 4>([](int i) { return i * 2.5f - 3; });
  for (int i = 0; i < 4; ++i) {
    const float v = i * 2.5f - 3;
    EXPECT_EQ(tl::fmod(x, 2).data()[i], std::fmod(v, 2.0f));
    EXPECT_EQ(tl::remainder(x, 2).data()[i], std::remainder(v, 2.0f));
    EXPECT_EQ(tl::copysign(3, x).data()[i], std::copysign(3.0f, v));
    EXPECT_EQ(tl::atan2(x, 2).data()[i], std::atan2(v, 2.0f));
    EXPECT_EQ(tl::nextafter(x, 9).data()[i], std::nextafter(v, 9.0f));
  }
}

TEST(Math, Binary) {
  const auto x = fromIndex<float, 4>([](int i) { return i + 1; });
  for (int i = 0; i < 4; ++i) {
    const float v = static_cast<float>(i + 1);
    EXPECT_EQ(tl::pow(x, 2).data()[i], v * v);
    EXPECT_EQ(tl::pow(2.0, x).data()[i], std::exp2(v));
    EXPECT_EQ(tl::hypot(3 * x, 4 * x).data()[i], 5 * v);
    EXPECT_EQ(div_rn(1.0f, x).data()[i], 1 / v);
    EXPECT_EQ(fdiv(x, 3.0).data()[i], v / 3);
  }
  static_assert(same<decltype(tl::pow(x, 2)), tile<float, 4>>);
  static_assert(same<decltype(tl::pow(2, float16(1))), float16>);
  EXPECT_EQ(tl::hypot(3e30f, 4e30f), 5e30f);
  static_assert(same<decltype(tl::hypot(1, tile<float16, 2>())), tile<float16, 2>>);
  static_assert(same<decltype(fdiv(tile<float16, 2>(), tile<float, 2>())), tile<float, 2>>);
}

TEST(Composites, Activations) {
  const auto phi = [](double x) { return 0.5 * (1 + std::erf(x / std::sqrt(2.0))); };
  const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
  check([](auto x) { return sigmoid(x); }, logistic, -8, 8);
  check([](auto x) { return silu(x); }, [&](double x) { return x * logistic(x); }, -8, 8);
  check([](auto x) { return gelu(x); }, [&](double x) { return x * phi(x); }, -1, 4);
  const auto approx = [](long double x) {
    const long double u = std::sqrt(2 / 3.14159265358979323846L) * (x + 0.044715L * x * x * x);
    return static_cast<double>(x / 2 * (1 + std::tanh(u)));
  };
  check([](auto x) { return gelu(x, tanh_approx); }, approx, -1, 4);
  check([](auto x) { return gelu(x, fast_tanh_approx); }, approx, -1, 4);  // here by tanh itself
}

// Far from 0 activations are their limits, but for -inf itself, which is -inf / inf or -inf * 0.
template <class T>
void checkFar() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto of = [](auto f, double x) { return static_cast<double>(f(T(x))); };
  const auto approx = [](auto x) { return gelu(x, tanh_approx); };
  const auto fast = [](auto x) { return gelu(x, fast_tanh_approx); };
  const auto sigmoid_of = [](auto x) { return sigmoid(x); };
  const auto silu_of = [](auto x) { return silu(x); };
  const auto far = static_cast<double>(T(60000));
  EXPECT_EQ(of(approx, inf), inf);
  EXPECT_EQ(of(approx, far), far);
  EXPECT_EQ(of(approx, -far), 0);
  EXPECT_TRUE(std::isnan(of(approx, -inf)));
  EXPECT_TRUE(std::isnan(of(approx, NAN)));
  EXPECT_EQ(of(fast, inf), inf);
  EXPECT_EQ(of(fast, far), far);
  EXPECT_EQ(of(fast, -far), 0);
  EXPECT_TRUE(std::isnan(of(fast, -inf)));
  EXPECT_TRUE(std::isnan(of(fast, NAN)));
  EXPECT_EQ(of(silu_of, inf), inf);
  EXPECT_EQ(of(silu_of, far), far);
  EXPECT_EQ(of(silu_of, -far), 0);
  EXPECT_TRUE(std::isnan(of(silu_of, -inf)));
  EXPECT_TRUE(std::isnan(of(silu_of, NAN)));
  EXPECT_EQ(of(sigmoid_of, inf), 1);
  EXPECT_EQ(of(sigmoid_of, -inf), 0);
  EXPECT_TRUE(std::isnan(of(sigmoid_of, NAN)));
}

TEST(Composites, FarFromZero) {
  checkFar<float>();
  checkFar<double>();
  checkFar<float16>();
  checkFar<bfloat16>();
  EXPECT_EQ(gelu(3e38f, tanh_approx), 3e38f);
  EXPECT_EQ(gelu(-3e38f, tanh_approx), 0);
  EXPECT_EQ(gelu(3e38f, fast_tanh_approx), 3e38f);
  EXPECT_EQ(gelu(-3e38f, fast_tanh_approx), 0);
}

template <class T>
void checkSoftmax(double tolerance) {
  const auto x = fromIndex<T, 3, 5>([](int i) { return (i * 7 % 11) * 0.5 - 2; });
  const auto rows = softmax<1>(x);
  const auto columns = softmax<0>(x);
  static_assert(same<decltype(softmax<1>(x)), tile<T, 3, 5>>);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 5; ++j) {
      double row_sum = 0;
      double column_sum = 0;
      const double e = std::exp(static_cast<double>(x.data()[i * 5 + j]));
      for (int k = 0; k < 5; ++k) row_sum += std::exp(static_cast<double>(x.data()[i * 5 + k]));
      for (int k = 0; k < 3; ++k) column_sum += std::exp(static_cast<double>(x.data()[k * 5 + j]));
      EXPECT_NEAR(static_cast<double>(rows.data()[i * 5 + j]), e / row_sum, tolerance);
      EXPECT_NEAR(static_cast<double>(columns.data()[i * 5 + j]), e / column_sum, tolerance);
    }
  }
}

TEST(Composites, Softmax) {
  checkSoftmax<float>(1e-6);
  checkSoftmax<double>(1e-14);
  checkSoftmax<float16>(5e-4);
  checkSoftmax<bfloat16>(4e-3);
  const auto huge = softmax(full<float, 4>(1e30f));
  EXPECT_EQ(elements(huge), (std::vector<float>{0.25f, 0.25f, 0.25f, 0.25f}));
}

}  // namespace
