// float16 and bfloat16 against an independent implementation: a search among all their values.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "tile_test.h"

namespace {

using tl::bfloat16;
using tl::float16;

// The value of a bit pattern, by the definition of the format.
double valueOf(std::uint16_t bits, int exponent_bits, int fraction_bits) {
  const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

struct Reference {
  int exponent_bits;
  int fraction_bits;
  std::uint32_t infinity;
  // Of the finite patterns, in order; then 2^(largest exponent + 1).
  std::vector<double> magnitudes;

  Reference(int e, int f) : exponent_bits(e), fraction_bits(f), infinity(((1u << e) - 1) << f) {
    for (std::uint32_t b = 0; b < infinity; ++b)
      magnitudes.push_back(valueOf(static_cast<std::uint16_t>(b), e, f));
    magnitudes.push_back(std::ldexp(1.0, 1 << (e - 1)));
  }

  // Nearest, ties to the even pattern; past the middle to the next power of two is infinity.
  std::uint16_t nearest(long double x) const {
    const long double m = std::fabs(x);
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    if (m >= magnitudes.back()) return static_cast<std::uint16_t>(sign | infinity);
    const auto above = std::upper_bound(magnitudes.begin(), magnitudes.end(), m,
                                        [](long double a, double b) { return a < b; });
    const auto high = static_cast<std::uint32_t>(above - magnitudes.begin());
    const std::uint32_t low = high - 1;
    const long double to_low = m - magnitudes[low];
    const long double to_high = magnitudes[high] - m;
    const bool up = to_high < to_low || (to_high == to_low && (low & 1) != 0);
    return static_cast<std::uint16_t>(sign | (up ? high : low));
  }
  std::uint16_t towardZero(long double x) const {
    const long double m = std::fabs(x);
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    const auto above = std::upper_bound(magnitudes.begin(), magnitudes.end() - 1, m,
                                        [](long double a, double b) { return a < b; });
    return static_cast<std::uint16_t>(sign | (above - magnitudes.begin() - 1));
  }
};

template <class H>
const Reference& reference() {
  static const Reference r = std::is_same_v<H, float16> ? Reference(5, 10) : Reference(8, 7);
  return r;
}

template <class H>
H fromBits(std::uint32_t bits) {
  H h;
  h.bits = static_cast<std::uint16_t>(bits);
  return h;
}

template <class H>
class Float16Test : public testing::Test {};
using Types = testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(Float16Test, Types);

TYPED_TEST(Float16Test, EveryPatternWidensExactlyAndComesBack) {
  const Reference& r = reference<TypeParam>();
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto h = fromBits<TypeParam>(bits);
    const double expected = valueOf(h.bits, r.exponent_bits, r.fraction_bits);
    const float wide = h;
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(wide)) << bits;
      EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(wide)))) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<double>(wide), expected) << bits;
    ASSERT_EQ(std::signbit(wide), std::signbit(expected)) << bits;
    ASSERT_EQ(TypeParam(wide).bits, bits);
    ASSERT_EQ(TypeParam(expected).bits, bits);
  }
}

TYPED_TEST(Float16Test, RoundsToNearestEvenFromFloatAndDouble) {
  const Reference& r = reference<TypeParam>();
  std::mt19937_64 random(1);
  for (int i = 0; i < 300000; ++i) {
    const auto f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isnan(f)) {
      ASSERT_EQ(TypeParam(f).bits, r.nearest(f)) << f;
    }
    // Doubles around the range of the format, and a hair from a tie.
    const double near_pattern = static_cast<float>(fromBits<TypeParam>(random() & 0x7fff));
    double d = near_pattern * (1 + static_cast<double>(random() & 0xff) * 0x1p-12);
    if (random() % 2 != 0) d = std::nextafter(d, random() % 2 != 0 ? 1e300 : 0);
    if (!std::isnan(d)) {
      ASSERT_EQ(TypeParam(d).bits, r.nearest(d)) << d;
    }
  }
  const double large = std::ldexp(1.0, 1 << (r.exponent_bits - 1));
  EXPECT_EQ(TypeParam(large).bits, r.infinity);
  EXPECT_EQ(TypeParam(-std::numeric_limits<double>::infinity()).bits, 0x8000 | r.infinity);
  EXPECT_EQ(TypeParam(-1e-300).bits, 0x8000);
  EXPECT_EQ(TypeParam(std::numeric_limits<double>::denorm_min()).bits, 0);
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::quiet_NaN()).bits, 0x7fff);
}

TYPED_TEST(Float16Test, RoundsEveryTieToEven) {
  const Reference& r = reference<TypeParam>();
  for (std::uint32_t bits = 0; bits < r.infinity; ++bits) {
    const double tie = (r.magnitudes[bits] + r.magnitudes[bits + 1]) / 2;
    ASSERT_EQ(TypeParam(tie).bits, bits + (bits & 1)) << tie;
    ASSERT_EQ(TypeParam(std::nextafter(tie, 0)).bits, bits);
    ASSERT_EQ(TypeParam(std::nextafter(tie, 1e300)).bits, bits + 1);
  }
}

TYPED_TEST(Float16Test, RoundsOnceFromIntegers) {
  const Reference& r = reference<TypeParam>();
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    const auto value = static_cast<std::int64_t>(random()) >> (random() % 64);
    ASSERT_EQ(TypeParam(value).bits, r.nearest(static_cast<long double>(value))) << value;
    const auto natural = static_cast<std::uint64_t>(value);
    ASSERT_EQ(TypeParam(natural).bits, r.nearest(static_cast<long double>(natural))) << natural;
  }
  // One above a tie, in a bit that a double does not keep.
  const std::int64_t tie = (std::int64_t{1} << 62) + (std::int64_t{1} << (61 - r.fraction_bits));
  EXPECT_EQ(TypeParam(tie + 1).bits, r.nearest(static_cast<long double>(tie + 1)));
  EXPECT_EQ(static_cast<float>(TypeParam(true)), 1.0f);
  EXPECT_EQ(static_cast<float>(TypeParam(std::int8_t{-128})), -128.0f);
}

TYPED_TEST(Float16Test, CastsTowardZero) {
  const Reference& r = reference<TypeParam>();
  std::mt19937_64 random(3);
  for (int i = 0; i < 50000; ++i) {
    const auto f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isnan(f) || std::isinf(f)) continue;
    ASSERT_EQ(tl::cast<TypeParam>(f, tl::rounding::rz).bits, r.towardZero(f)) << f;
  }
}

// As float and double do: the fuzzer finds out by it how far rounding may change a result.
TYPED_TEST(Float16Test, RoundsInTheDirectionOfTheHost) {
  const Reference& r = reference<TypeParam>();
  const std::uint32_t one = r.infinity / 2 >> r.fraction_bits << r.fraction_bits;
  for (const std::uint32_t bits : {0u, 1u, one, one + 1, r.infinity - 2}) {
    const double low = r.magnitudes[bits];
    const double tie = (low + r.magnitudes[bits + 1]) / 2;
    for (const double x :
         {std::nextafter(low, 1e300), std::nextafter(tie, 0), tie, std::nextafter(tie, 1e300)}) {
      tile_test::inEachDirection([&](bool up, bool down) {
        ASSERT_EQ(TypeParam(x).bits, bits + up) << x;
        ASSERT_EQ(TypeParam(-x).bits, 0x8000 | (bits + down)) << x;
        ASSERT_EQ(tl::cast<TypeParam>(x, tl::rounding::rz).bits, bits) << x;
        ASSERT_EQ(TypeParam(low).bits, bits) << x;
      });
    }
  }
  const double infinity = std::numeric_limits<double>::infinity();
  const std::int64_t above_a_power = (std::int64_t{1} << 15) + 1;
  const std::uint32_t power = r.nearest(32768);
  tile_test::inEachDirection([&](bool up, bool down) {
    EXPECT_EQ(TypeParam(1e300).bits, r.infinity - !up);
    EXPECT_EQ(TypeParam(-1e300).bits, 0x8000 | (r.infinity - !down));
    EXPECT_EQ(TypeParam(infinity).bits, r.infinity);
    EXPECT_EQ(TypeParam(above_a_power).bits, power + up);
    EXPECT_EQ(TypeParam(-above_a_power).bits, 0x8000 | (power + down));
    constexpr TypeParam kThird(1.0 / 3);  // the compiler rounds it to nearest
    EXPECT_EQ(kThird.bits, r.nearest(1.0 / 3));
  });
}

TYPED_TEST(Float16Test, ArithmeticRoundsOncePerOperation) {
  const Reference& r = reference<TypeParam>();
  std::mt19937_64 random(4);
  for (int i = 0; i < 50000; ++i) {
    const auto a = fromBits<TypeParam>(random() & 0xffff);
    const auto b = fromBits<TypeParam>(random() & 0xffff);
    const double x = static_cast<float>(a);
    const double y = static_cast<float>(b);
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    ASSERT_EQ((a * b).bits, r.nearest(static_cast<float>(x * y)));
    ASSERT_EQ((a + b).bits, r.nearest(static_cast<float>(x) + static_cast<float>(y)));
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a == b, x == y);
    ASSERT_EQ((-a).bits, a.bits ^ 0x8000);
  }
  static_assert(tile_test::same<decltype(TypeParam(1) + TypeParam(1)), TypeParam>);
  static_assert(tile_test::same<decltype(TypeParam(1) * 2), TypeParam>);
  static_assert(tile_test::same<decltype(TypeParam(1) * 2.0f), float>);
  static_assert(tile_test::same<decltype(2.0 * TypeParam(1)), double>);
  static_assert(tile_test::same<decltype(float16(1) + bfloat16(1)), float>);
  static_assert(!std::is_convertible_v<float, TypeParam>);
  static_assert(std::is_convertible_v<TypeParam, float>);
  static_assert(sizeof(TypeParam) == 2 && std::is_trivially_copyable_v<TypeParam>);
}

TEST(Float16, IsConstexpr) {
  constexpr float16 half(0.5f);
  static_assert(half.bits == 0x3800);
  static_assert((half + half).bits == 0x3c00);
  constexpr bfloat16 from_half(half);
  static_assert(from_half.bits == 0x3f00);
}

}  // namespace
