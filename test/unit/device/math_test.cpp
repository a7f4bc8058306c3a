// The helpers' formulas against double, and their special values. How exact the GPU's instructions
// are is the business of gpu_helpers.cu.
#include <limits>
#include <random>

#include "testing.h"

namespace device_tests {
namespace {

namespace t = tile2cu;

constexpr float MAX = std::numeric_limits<float>::max();
constexpr float SUBNORMAL = 0x1p-140f;

// Values of every magnitude and sign, and special ones.
std::vector<float> samples() {
  std::vector<float> values = {0.0f, -0.0f, 1.0f, -1.0f,     INFINITY, -INFINITY,
                               NAN,  MAX,   -MAX, 0x1p-126f, SUBNORMAL};
  std::mt19937 random(5);
  for (int i = 0; i < 200000; ++i) values.push_back(t::bit_cast<float>(uint32_t(random())));
  for (int i = 0; i < 200000; ++i) values.push_back((float(random()) * 0x1p-31f - 1.0f) * 20.0f);
  return values;
}

// |got - want| <= bound(x) ulps of want; NaN and infinity alike; results below the normal numbers
// may be 0.
template <class Got, class Want, class Bound>
void check(const char* name, Got got, Want want, Bound bound) {
  double worst = 0;
  for (const float x : samples()) {
    const double exact = want(double(x));
    const float y = got(x);
    if (std::isnan(exact) || std::isinf(float(exact)) || std::isinf(y)) {
      const double error = std::fabs(double(y) / exact - 1);  // just beyond the largest number
      EXPECT_TRUE((std::isnan(exact) && std::isnan(y)) || y == float(exact) || error < 1e-6)
          << name << "(" << x << ") = " << y << ", not " << exact;
      continue;
    }
    if (std::fabs(exact) < 0x1p-126 && std::fabs(y) <= 0x1p-126f) continue;
    const float at = std::fabs(float(exact));
    const double ulp = std::nextafter(at, INFINITY) - double(at);
    const double error = std::fabs(double(y) - exact) / ulp;
    worst = std::max(worst, error);
    if (!(error <= bound(double(x)))) {
      ADD_FAILURE() << name << "(" << x << ") = " << y << ", not " << exact << ": " << error
                    << " ulp";
      return;
    }
  }
  testing::Test::RecordProperty(name, std::to_string(worst));
}
auto ulps(double n) {
  return [n](double) { return n; };
}
double flushed(double x) { return std::fabs(x) < 0x1p-126 ? std::copysign(0.0, x) : x; }

#define FLOAT(NAME) [](float x) { return t::NAME(x); }
#define PRECISE(NAME) [](float x) { return t::precise::NAME(x); }
#define DOUBLE(NAME) [](double x) { return std::NAME(x); }

// Host code that includes the emulator keeps the standard library's functions.
TEST(Emulator, LeavesStdMinAndMaxAlone) {
  EXPECT_EQ(std::fmax(2.0f, 3), 3.0);
  EXPECT_EQ(std::fmin(2.0, 3.0f), 2.0);
  EXPECT_EQ(std::fmaxf(2.0f, 3.0f), std::fminf(3.0f, 4.0f));
  EXPECT_TRUE(std::signbit(fminf(0.0f, -0.0f)) && !std::signbit(fmax(-0.0, 0.0)));
}

// Emitted text calls a function of the program's own as Sum{n, m}(x), in any place.
TEST(Emulator, TakesCommasInBraces) {
  struct Sum {
    float a, b;
    float operator()(float x) const { return a + b + x; }
  };
  const float larger = fmaxf(Sum{1.0f, 2.0f}(3.0f), 4.0f),
              smaller = fminf(Sum{1.0f, 2.0f}(3.0f), 4.0f);
  EXPECT_EQ(larger, 6.0f);
  EXPECT_EQ(smaller, 4.0f);
}

TEST(Math, FastForms) {
  check("exp2", FLOAT(exp2), DOUBLE(exp2), ulps(1));
  check("exp", FLOAT(exp), DOUBLE(exp), [](double x) { return 4 + std::fabs(x) * 1.2; });
  check("log2", FLOAT(log2), [](double x) { return std::log2(flushed(x)); }, ulps(1));
  check("log", FLOAT(log), [](double x) { return std::log(flushed(x)); }, ulps(2));
  check("rsqrt", FLOAT(rsqrt), [](double x) { return 1 / std::sqrt(flushed(x)); }, ulps(1));
  check("sqrt", FLOAT(sqrt), [](double x) { return std::sqrt(flushed(x)); }, ulps(1));
  check("reciprocal", FLOAT(reciprocal), [](double x) { return 1 / flushed(x); }, ulps(1));
  check("tanh", FLOAT(tanh), DOUBLE(tanh), ulps(3));
  check("sin", FLOAT(sin), DOUBLE(sin), ulps(2));
  check("cos", FLOAT(cos), DOUBLE(cos), ulps(2));
  check("tan", FLOAT(tan), DOUBLE(tan), ulps(4));
  check("erf", FLOAT(erf), DOUBLE(erf), ulps(2));
  check("floor", FLOAT(floor), DOUBLE(floor), ulps(0));
  check("ceil", FLOAT(ceil), DOUBLE(ceil), ulps(0));
  check("rint", FLOAT(rint), DOUBLE(rint), ulps(0));
  check("absolute", FLOAT(absolute), DOUBLE(fabs), ulps(0));
}

TEST(Math, PreciseForms) {
  check("exp2", PRECISE(exp2), DOUBLE(exp2), ulps(2));
  check("exp", PRECISE(exp), DOUBLE(exp), ulps(2));
  check("log2", PRECISE(log2), DOUBLE(log2), ulps(1));
  check("log", PRECISE(log), DOUBLE(log), ulps(1));
  check("sqrt", PRECISE(sqrt), DOUBLE(sqrt), ulps(0.5));
  check("rsqrt", PRECISE(rsqrt), [](double x) { return 1 / std::sqrt(x); }, ulps(1.5));
  check("tanh", PRECISE(tanh), DOUBLE(tanh), ulps(2));
}

TEST(Math, TanhKeepsSmallArgumentsAndSigns) {
  EXPECT_EQ(t::tanh(1e-6f), 1e-6f);
  EXPECT_EQ(t::tanh(SUBNORMAL), SUBNORMAL);
  EXPECT_EQ(t::tanh(INFINITY), 1.0f);
  EXPECT_EQ(t::tanh(-MAX), -1.0f);
  EXPECT_TRUE(std::signbit(t::tanh(-0.0f)));
  for (const float x : samples()) {
    EXPECT_TRUE(std::isnan(x) || t::tanh(-x) == -t::tanh(x)) << x;
  }
}

// The twin has the error that PTX allows, so that nothing here relies on less.
TEST(Math, FastTanh) {
  double worst = 0;
  for (const float x : samples()) {
    if (std::isnan(x) || x == 0) continue;
    const double exact = std::tanh(double(x));
    const double error = std::fabs(t::fast_tanh(x) / exact - 1);
    ASSERT_LE(error, 0x1p-11) << x;
    worst = std::max(worst, error);
    EXPECT_EQ(t::fast_tanh(-x), -t::fast_tanh(x)) << x;
  }
  EXPECT_GT(worst, 0x1.fp-12);
  EXPECT_EQ(t::fast_tanh(SUBNORMAL), SUBNORMAL);
  EXPECT_EQ(t::fast_tanh(INFINITY), 1.0f);
  EXPECT_EQ(t::fast_tanh(-MAX), -1.0f);
  EXPECT_TRUE(std::isnan(t::fast_tanh(NAN)));
  EXPECT_TRUE(std::signbit(t::fast_tanh(-0.0f)));
  EXPECT_EQ(t::fast_tanh(0.7), std::tanh(0.7));
}

TEST(Math, TwoArguments) {
  EXPECT_EQ(t::fdiv(1.0f, 3.0f), 1.0f / 3.0f);
  EXPECT_EQ(t::fdiv(0x1p127f, 0x1p127f), 1.0f);
  EXPECT_EQ(t::pow(2.0f, 10.0f), 1024.0f);
  EXPECT_EQ(t::hypot(3e30f, -4e30f), 5e30f);
  EXPECT_EQ(t::fma(3.0f, 4.0f, 5.0f), 17.0f);
  EXPECT_EQ(t::umulhi(0xffffffffu, 0x10u), 0xfu);
  EXPECT_EQ(t::umulhi(~uint64_t{0}, uint64_t{16}), uint64_t{15});
  EXPECT_EQ(t::mulhi(-1, 3), -1);
  EXPECT_EQ(t::mulhi(int64_t{1} << 62, int64_t{-8}), int64_t{-2});
  EXPECT_EQ(t::multiply_wide(0xffffffffu, 0xffffffffu), 0xfffffffe00000001u);
}

TEST(Math, Double) {
  const double x = 0.7, y = 1.9;
  EXPECT_DOUBLE_EQ(t::exp(x), std::exp(x));
  EXPECT_DOUBLE_EQ(t::exp2(x), std::exp2(x));
  EXPECT_DOUBLE_EQ(t::log(x), std::log(x));
  EXPECT_DOUBLE_EQ(t::log2(x), std::log2(x));
  EXPECT_DOUBLE_EQ(t::sqrt(x), std::sqrt(x));
  EXPECT_DOUBLE_EQ(t::rsqrt(x), 1 / std::sqrt(x));
  EXPECT_DOUBLE_EQ(t::tanh(x), std::tanh(x));
  EXPECT_DOUBLE_EQ(t::fdiv(x, y), x / y);
  EXPECT_DOUBLE_EQ(t::pow(x, y), std::pow(x, y));
  EXPECT_DOUBLE_EQ(t::hypot(x, y), std::hypot(x, y));
  EXPECT_DOUBLE_EQ(t::absolute(-x), x);
  EXPECT_DOUBLE_EQ(t::precise::exp(x), std::exp(x));
}

TEST(Math, AbsoluteOfIntegers) {
  EXPECT_EQ(t::absolute(-3), 3);
  EXPECT_EQ(t::absolute(3u), 3u);
  EXPECT_EQ(t::absolute(INT32_MIN), INT32_MIN);
  EXPECT_EQ(t::absolute(int8_t{-128}), int8_t{-128});
  EXPECT_EQ(t::absolute(int64_t{-5}), 5);
}

TEST(Math, SaturatingSub) {
  const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -8, -1, 0, 1, 8, INT64_MAX - 1, INT64_MAX};
  for (int64_t a : ends)
    for (int64_t b : ends) {
      const __int128 exact = __int128{a} - b;
      const int64_t expected = exact < INT64_MIN   ? INT64_MIN
                               : exact > INT64_MAX ? INT64_MAX
                                                   : static_cast<int64_t>(exact);
      EXPECT_EQ(t::saturating_sub(a, b), expected) << a << " - " << b;
    }
}

TEST(Math, BitCast) {
  EXPECT_EQ(t::bit_cast<uint32_t>(1.0f), 0x3f800000u);
  EXPECT_EQ(t::bit_cast<double>(uint64_t{0x3ff0000000000000}), 1.0);
}

}  // namespace
}  // namespace device_tests
