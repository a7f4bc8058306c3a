// The 8-bit floats against an independent implementation: a search among all their values.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "tile_test.h"

namespace {

using namespace tl;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The value of a bit pattern, by the definition of the format.
double valueOf(float8_e4m3, int bits) {
  const int exponent = bits >> 3 & 15;
  const int fraction = bits & 7;
  const double sign = bits < 0x80 ? 1 : -1;
  if (exponent == 15 && fraction == 7) return kNan;
  if (exponent == 0) return sign * fraction / 512;
  return sign * (8 + fraction) * std::exp2(exponent - 10);
}
double valueOf(float8_e5m2, int bits) {
  const int exponent = bits >> 2 & 31;
  const int fraction = bits & 3;
  const double sign = bits < 0x80 ? 1 : -1;
  if (exponent == 31) return fraction == 0 ? sign * kInfinity : kNan;
  if (exponent == 0) return sign * fraction / 65536;
  return sign * (4 + fraction) * std::exp2(exponent - 17);
}

template <class F>
F fromBits(int bits) {
  F x;
  x.bits = static_cast<std::uint8_t>(bits);
  return x;
}

template <class F>
class Float8Test : public testing::Test {
 protected:
  static constexpr bool kIsE4m3 = std::is_same_v<F, float8_e4m3>;
  static constexpr int kLargest = kIsE4m3 ? 0x7e : 0x7b;  // the pattern of the largest number

  static double value(int bits) { return valueOf(F{}, bits); }
  static int bitsOf(long double x, int pattern) { return pattern | (std::signbit(x) ? 0x80 : 0); }
  // The nearest of all numbers, of two the even one; the largest for all above it.
  static int nearest(long double x) {
    const long double m = std::fabs(x);
    if (m >= value(kLargest)) return bitsOf(x, kLargest);
    int best = 0;
    for (int b = 1; b <= kLargest; ++b) {
      const long double closer = std::fabs(m - value(best)) - std::fabs(m - value(b));
      if (closer > 0 || (closer == 0 && b % 2 == 0)) best = b;
    }
    return bitsOf(x, best);
  }
  static int towardZero(long double x) {
    int best = 0;
    while (best < kLargest && value(best + 1) <= std::fabs(x)) ++best;
    return bitsOf(x, best);
  }
  // The conversions of one number, and of its negative.
  static void expectNarrowed(double x) {
    for (const double signed_x : {x, -x}) {
      ASSERT_EQ(F(signed_x).bits, nearest(signed_x)) << signed_x;
      ASSERT_EQ(cast<F>(signed_x, rounding::rz).bits, towardZero(signed_x)) << signed_x;
    }
  }
};
using Types = testing::Types<float8_e4m3, float8_e5m2>;
TYPED_TEST_SUITE(Float8Test, Types);

TYPED_TEST(Float8Test, EveryPatternWidensExactlyAndComesBack) {
  for (int bits = 0; bits < 256; ++bits) {
    const auto x = fromBits<TypeParam>(bits);
    const double expected = this->value(bits);
    const float wide = float(x);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(wide)) << bits;
      EXPECT_EQ(TypeParam(wide).bits, 0x7f) << bits;
      continue;
    }
    EXPECT_EQ(static_cast<double>(wide), expected) << bits;
    EXPECT_EQ(std::signbit(wide), bits >= 0x80) << bits;
    const int back = std::isinf(expected) ? (bits & 0x80) | this->kLargest : bits;
    EXPECT_EQ(TypeParam(wide).bits, back);
    EXPECT_EQ(TypeParam(expected).bits, back);
  }
}

TYPED_TEST(Float8Test, RoundsEveryFloat16AndBfloat16) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    float16 half;
    bfloat16 brain;
    half.bits = brain.bits = static_cast<std::uint16_t>(bits);
    const float from_half = half;
    const float from_brain = brain;
    const int of_half = std::isnan(from_half) ? 0x7f : this->nearest(from_half);
    const int of_brain = std::isnan(from_brain) ? 0x7f : this->nearest(from_brain);
    ASSERT_EQ(TypeParam(half).bits, of_half) << bits;
    ASSERT_EQ(TypeParam(from_half).bits, of_half) << bits;
    ASSERT_EQ(TypeParam(brain).bits, of_brain) << bits;
    ASSERT_EQ(TypeParam(from_brain).bits, of_brain) << bits;
  }
}

TYPED_TEST(Float8Test, RoundsEveryTieToEven) {
  for (int bits = 0; bits < this->kLargest; ++bits) {
    const double low = this->value(bits);
    const double high = this->value(bits + 1);
    const double tie = (low + high) / 2;
    ASSERT_EQ(TypeParam(tie).bits, bits + (bits & 1)) << tie;
    ASSERT_EQ(TypeParam(std::nextafter(tie, 0)).bits, bits);
    ASSERT_EQ(TypeParam(std::nextafter(tie, 1e9)).bits, bits + 1);
    const auto narrow_tie = static_cast<float>(tie);
    ASSERT_EQ(TypeParam(std::nextafter(narrow_tie, 0.0f)).bits, bits);
    ASSERT_EQ(TypeParam(std::nextafter(narrow_tie, 1e9f)).bits, bits + 1);
    for (const double x :
         {tie, std::nextafter(tie, 0), std::nextafter(high, 0), std::nextafter(high, 1e9), high})
      this->expectNarrowed(x);
  }
}

// The largest number stays that of all larger ones.
TYPED_TEST(Float8Test, RoundsInTheDirectionOfTheHost) {
  for (const int bits : {0, 1, 0x38, 0x39, this->kLargest - 1}) {
    const double low = this->value(bits);
    const double tie = (low + this->value(bits + 1)) / 2;
    for (const double x :
         {std::nextafter(low, 1e9), std::nextafter(tie, 0), tie, std::nextafter(tie, 1e9)}) {
      tile_test::inEachDirection([&](bool up, bool down) {
        ASSERT_EQ(TypeParam(x).bits, bits + up) << x;
        ASSERT_EQ(TypeParam(-x).bits, 0x80 | (bits + down)) << x;
        ASSERT_EQ(cast<TypeParam>(x, rounding::rz).bits, bits) << x;
      });
    }
  }
  tile_test::inEachDirection([&](bool, bool) {
    EXPECT_EQ(TypeParam(1e9).bits, this->kLargest);
    EXPECT_EQ(TypeParam(-kInfinity).bits, 0x80 | this->kLargest);
  });
}

TYPED_TEST(Float8Test, RoundsAnyFloatAndDouble) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isnan(f)) {
      ASSERT_EQ(TypeParam(f).bits, this->nearest(f)) << f;
      this->expectNarrowed(f);
    }
    // Doubles in the range of the format.
    const double in_range = std::fabs(this->value(static_cast<int>(random() % 0x7b)));
    this->expectNarrowed(in_range * (1 + static_cast<double>(random() & 0xff) * 0x1p-9));
  }
}

TYPED_TEST(Float8Test, Saturates) {
  const double largest = this->value(this->kLargest);
  EXPECT_EQ(largest, this->kIsE4m3 ? 448 : 57344);
  for (const double x : {largest * 1.01, largest * 1.2, 1e30, 1e300, kInfinity}) {
    EXPECT_EQ(float(TypeParam(x)), largest) << x;
    EXPECT_EQ(float(TypeParam(-x)), -largest) << x;
    EXPECT_EQ(float(TypeParam(static_cast<float>(x))), largest) << x;
    EXPECT_EQ(float(cast<TypeParam>(x, rounding::rz)), largest) << x;
  }
  EXPECT_EQ(TypeParam(kNan).bits, 0x7f);
  EXPECT_EQ(TypeParam(-kNan).bits, 0x7f);
  EXPECT_EQ(TypeParam(-0.0f).bits, 0x80);
  EXPECT_EQ(TypeParam(-1e-300).bits, 0x80);
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::denorm_min()).bits, 0);
}

TYPED_TEST(Float8Test, RoundsOnceFromIntegers) {
  for (int i = -70000; i <= 70000; i += 1 + std::abs(i) / 500)
    ASSERT_EQ(TypeParam(i).bits, this->nearest(i)) << i;
  EXPECT_EQ(float(TypeParam(true)), 1.0f);
  EXPECT_EQ(float(TypeParam(std::int8_t{-128})), -128.0f);
  EXPECT_EQ(float(TypeParam(std::numeric_limits<std::uint64_t>::max())),
            this->value(this->kLargest));
}

TYPED_TEST(Float8Test, CastsTilesToAndFromEveryType) {
  using t8 = tile<TypeParam, 3>;
  const auto x = cast<TypeParam>(tile_test::make<float, 3>({-2.5f, 0, 7}));
  static_assert(tile_test::same<decltype(x), const t8>);
  using tf = tile<float, 3>;
  using td = tile<double, 3>;
  using ti = tile<int, 3>;
  using tb = tile<bool, 3>;
  EXPECT_TILE(tf, cast<float>(x), -2.5f, 0, 7);
  EXPECT_TILE(tf, cast<float>(cast<float16>(x)), -2.5f, 0, 7);
  EXPECT_TILE(tf, cast<float>(cast<bfloat16>(x)), -2.5f, 0, 7);
  EXPECT_TILE(tf, cast<float>(cast<float8_e4m3>(x)), -2.5f, 0, 7);
  EXPECT_TILE(tf, cast<float>(cast<float8_e5m2>(cast<float16>(x))), -2.5f, 0, 7);
  EXPECT_TILE(td, cast<double>(x), -2.5, 0, 7);
  EXPECT_TILE(ti, cast<int>(x), -2, 0, 7);
  EXPECT_TILE(tb, cast<bool>(x), true, false, true);
  EXPECT_TILE(tf, cast<float>(cast<TypeParam>(cast<std::int8_t>(x))), -2, 0, 7);
  EXPECT_EQ(cast<float>(fromBits<TypeParam>(x.data()[0].bits)), -2.5f);  // a scalar
  EXPECT_EQ(cast<float8_e5m2>(float8_e4m3(448)).bits, float8_e5m2(448).bits);
  EXPECT_EQ(float(cast<float8_e4m3>(float8_e5m2(57344))), 448.0f);
}

TYPED_TEST(Float8Test, MovesAsEveryElementDoes) {
  std::vector<TypeParam> memory(8, TypeParam(3));
  auto* p = memory.data();
  const auto i = arange<8>();
  const auto x = load(p + i, i < 6, 1.5f);
  EXPECT_EQ(sum(cast<float>(x)), 6 * 3 + 2 * 1.5f);
  EXPECT_EQ(sum(cast<float>(load(p + i, i < 6))), 6 * 3);
  store(p + i, cast<float>(i) * 1.03f, i > 0);  // converts, as every store does
  for (int k = 0; k < 8; ++k)
    EXPECT_EQ(memory[static_cast<std::size_t>(k)].bits,
              k == 0 ? TypeParam(3).bits : this->nearest(static_cast<float>(k) * 1.03f));
  store(p, load(p + 1));
  EXPECT_EQ(memory[0].bits, TypeParam(1.03f).bits);

  using t22 = tile<TypeParam, 2, 2>;
  const auto square = cast<TypeParam>(tile_test::make<float, 2, 2>({1, 2, 3, 4}));
  EXPECT_EQ(tile_test::elements(cast<int>(trans(square))), (std::vector<int>{1, 3, 2, 4}));
  EXPECT_EQ(tile_test::elements(cast<int>(where(cast<int>(square) > 2, square, trans(square)))),
            (std::vector<int>{1, 3, 3, 4}));
  EXPECT_EQ(sum(cast<float>(full<TypeParam, 2, 2>(1.5f))), 6.0f);
  EXPECT_EQ(sum(cast<float>(t22())), 0.0f);
  EXPECT_EQ(tile_test::elements(bitcast<std::uint8_t>(square))[1], TypeParam(2).bits);
  EXPECT_EQ(
      sum(cast<float>(reshape<2, 2>(cat(ravel(square)[slice<0, 2>], ravel(square)[slice<0, 2>])))),
      6.0f);
}

}  // namespace
