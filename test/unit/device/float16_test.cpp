// __half and __nv_bfloat16 of the emulator: every value, and one rounding an operation.
#include <random>

#include "testing.h"

namespace device_tests {
namespace {

template <class T>
class Float16 : public testing::Test {};
using Types = testing::Types<__half, __nv_bfloat16>;
TYPED_TEST_SUITE(Float16, Types);

template <class T>
constexpr int MANTISSA = std::is_same_v<T, __half> ? 10 : 7;

// From the definition of the format.
template <class T>
double decoded(int bits) {
  constexpr int M = MANTISSA<T>, BIAS = (1 << (14 - M)) - 1, EMAX = 2 * BIAS + 1;
  const double sign = bits & 0x8000 ? -1 : 1;
  const int exponent = (bits & 0x7fff) >> M, mantissa = bits & ((1 << M) - 1);
  if (exponent == EMAX) return mantissa != 0 ? double(NAN) : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - BIAS - M);
  return sign * std::ldexp(mantissa + (1 << M), exponent - BIAS - M);
}

TYPED_TEST(Float16, EveryValueRoundTrips) {
  for (int bits = 0; bits < 1 << 16; ++bits) {
    const TypeParam x = TypeParam::from_bits(uint16_t(bits));
    const double want = decoded<TypeParam>(bits);
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(float(x)) && std::isnan(float(TypeParam(float(x)))));
      continue;
    }
    ASSERT_EQ(double(float(x)), want);
    ASSERT_EQ(std::signbit(float(x)), (bits & 0x8000) != 0);
    ASSERT_EQ(TypeParam(float(x)).bits, bits);
  }
}

// Neighbours a < b of one sign: what lies between goes to the nearer one, the middle to the even
// one.
TYPED_TEST(Float16, RoundsToNearestEven) {
  using T = TypeParam;
  const int infinite = int(T(INFINITY).bits);
  for (int bits = 0; bits < infinite; ++bits) {
    const double a = decoded<T>(bits);
    // Beyond the largest number, as if the format went on.
    const double b = bits + 1 < infinite ? decoded<T>(bits + 1) : a + (a - decoded<T>(bits - 1));
    const double middle = (a + b) / 2, quarter = (b - a) / 4;
    const int even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(T(middle - quarter).bits, bits);
    ASSERT_EQ(T(middle + quarter).bits, bits + 1);
    ASSERT_EQ(T(middle).bits, even);
    ASSERT_EQ(T(-middle).bits, even | 0x8000);
    ASSERT_EQ(T(std::nextafter(middle, INFINITY)).bits,
              bits + 1);  // a double: seen once, not twice
    ASSERT_EQ(T::format::encode(middle + quarter, true), bits);
    ASSERT_EQ(T::format::encode(a, true), bits);
  }
  EXPECT_EQ(T::format::encode(1e300, true), infinite - 1);
  EXPECT_EQ(T(1e300).bits, infinite);
  EXPECT_EQ(T(1e-300).bits, 0);
}

TYPED_TEST(Float16, FromIntegersRoundsOnce) {
  using T = TypeParam;
  EXPECT_EQ(float(T(3)), 3.0f);
  const bool is_half = sizeof(T) == 2 && MANTISSA<T> == 10;
  EXPECT_EQ(float(T(-70000000000ll)), is_half ? -INFINITY : -69793218560.0f);
  // One more than the middle of two bfloat16 numbers, in a bit that a double does not have.
  const int64_t middle = (int64_t{0x101} << 54);
  if (!is_half) {
    EXPECT_EQ(double(float(T(middle))), std::ldexp(0x100, 54));
    EXPECT_EQ(double(float(T(middle + 1))), std::ldexp(0x102, 54));
  }
}

TYPED_TEST(Float16, ArithmeticRoundsOnce) {
  using T = TypeParam;
  std::mt19937 random(11);
  const auto same = [](T got, double exact) {
    if (std::isnan(exact)) return std::isnan(float(got));
    return got.bits == T(exact).bits;
  };
  for (int i = 0; i < 300000; ++i) {
    const T a = T::from_bits(uint16_t(random())), b = T::from_bits(uint16_t(random()));
    const double x = float(a), y = float(b);
    if (std::isinf(x) || std::isinf(y)) continue;
    // A double has more than twice the bits: rounding to it first does no harm.
    ASSERT_TRUE(same(a * b, x * y)) << float(a) << " * " << float(b);
    ASSERT_TRUE(same(tile2cu::multiply(a, b), x * y));
    ASSERT_TRUE(same(a + b, x + y)) << float(a) << " + " << float(b);
    ASSERT_TRUE(same(a - b, x - y)) << float(a) << " - " << float(b);
    ASSERT_TRUE(same(a / b, x / y)) << float(a) << " / " << float(b);
  }
  EXPECT_EQ(float(-T(2.0f)), -2.0f);
  EXPECT_TRUE(T(1.0f) < T(2.0f) && T(2.0f) == T(2.0f) && !(T(NAN) == T(NAN)));
}

TEST(Float16, FusedMultiplyAddRoundsOnce) {
  // The product lies in the middle of two numbers; the addend is far too small to be seen in a
  // double.
  const __half x = __half(1.0f + 0x1p-10f), y = __half(1.0f + 0x1p-1f);  // 1.5 + 1.5 * 2^-10
  const double product = double(float(x)) * float(y);
  EXPECT_EQ(double(float(__half(product))), 1.5 + 0x1p-9);  // a tie, to even
  EXPECT_EQ(float(__hfma(x, y, __half(-0x1p-24f))), 1.5f + 0x1p-10f);
  EXPECT_EQ(float(__hfma(x, y, __half(0x1p-24f))), 1.5f + 0x1p-9f);
}

TEST(Float16, Conversions) {
  EXPECT_EQ(tile2cu::to_half(1.0f + 0x1.8p-10f).bits, 0x3c02);
  EXPECT_EQ(tile2cu::to_half_rz(1.0f + 0x1.8p-10f).bits, 0x3c01);
  EXPECT_EQ(tile2cu::to_half(1.0 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
  EXPECT_EQ(tile2cu::to_bfloat16(1.0f + 0x1.8p-7f).bits, 0x3f82);
  EXPECT_EQ(tile2cu::to_bfloat16_rz(-(1.0f + 0x1.8p-7f)).bits, 0xbf81);
  EXPECT_EQ(tile2cu::to_bfloat16(1.0 + 0x1p-8 + 0x1p-40).bits, 0x3f81);
  // Integers are rounded once too: a float would lose the bit that decides.
  EXPECT_EQ(tile2cu::to_bfloat16(0x1010001).bits, 0x4b81);
  EXPECT_EQ(tile2cu::to_bfloat16(0x1010001u).bits, 0x4b81);
  EXPECT_EQ(tile2cu::to_bfloat16(-0x1010000).bits, 0xcb80);
  // A double would lose it here. (0x101 << 50 lies in the middle of two numbers.)
  EXPECT_EQ(tile2cu::to_bfloat16((int64_t{0x101} << 50) + 1).bits, 0x5c81);
  EXPECT_EQ(tile2cu::to_bfloat16((uint64_t{0x101} << 55) + 1).bits, 0x5f01);
  EXPECT_EQ(tile2cu::to_half(int64_t{-65519}).bits, 0xfbff);
  EXPECT_EQ(tile2cu::to_float_rz(16777219), 16777218.0f);
  EXPECT_EQ(tile2cu::to_float_rz(int64_t{-16777219}), -16777218.0f);
  EXPECT_EQ(tile2cu::to_float_rz(~uint64_t{0}), 0x1.fffffep63f);
  EXPECT_EQ(tile2cu::to_double_rz(~uint64_t{0}), 0x1.fffffffffffffp63);
  EXPECT_EQ(tile2cu::to_half(2049).bits, 0x6800);
  EXPECT_EQ(tile2cu::to_half(-2051).bits, 0xe802);
  EXPECT_EQ(tile2cu::to_half(4000000000u).bits, 0x7c00);
  EXPECT_EQ(tile2cu::to_float(tile2cu::to_half(0.5f)), 0.5f);
  EXPECT_EQ(tile2cu::to_float(tile2cu::to_bfloat16(0.5f)), 0.5f);
}

}  // namespace
}  // namespace device_tests
