// __nv_fp8_e4m3 and __nv_fp8_e5m2 of the emulator, and the helpers that convert to them: every value, every tie.
#include <random>

#include "testing.h"

namespace device_tests {
namespace {

template <class T>
class Float8 : public testing::Test {
 protected:
  static constexpr bool kIsE4m3 = std::is_same_v<T, __nv_fp8_e4m3>;
  static constexpr int kLargest = kIsE4m3 ? 0x7e : 0x7b;

  // From the definition of the format.
  static double decoded(int bits) {
    constexpr int M = kIsE4m3 ? 3 : 2, BIAS = kIsE4m3 ? 7 : 15;
    const double sign = bits & 0x80 ? -1 : 1;
    const int exponent = (bits & 0x7f) >> M, fraction = bits & ((1 << M) - 1);
    if ((bits & 0x7f) > kLargest) return kIsE4m3 || fraction != 0 ? double(NAN) : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - BIAS - M);
    return sign * std::ldexp(fraction + (1 << M), exponent - BIAS - M);
  }
  static T from_bits(int bits) {
    T x;
    x.__x = uint8_t(bits);
    return x;
  }
  // All conversions of a number that lies at or above pattern `low` and rounds to `near`.
  static void expect(double x, int near, int low) {
    for (const int sign : {0, 0x80}) {
      const double value = sign ? -x : x;
      ASSERT_EQ(T(value).__x, near | sign) << value;
      ASSERT_EQ(tile2cu::to_float8<T>(value).__x, near | sign) << value;
      ASSERT_EQ(tile2cu::to_float8_rz<T>(tile2cu::to_float_rz(value)).__x, low | sign) << value;
    }
  }
};
using Types = testing::Types<__nv_fp8_e4m3, __nv_fp8_e5m2>;
TYPED_TEST_SUITE(Float8, Types);

TYPED_TEST(Float8, EveryValueRoundTrips) {
  for (int bits = 0; bits < 256; ++bits) {
    const double want = this->decoded(bits);
    const float got = float(this->from_bits(bits));
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(got));
      EXPECT_EQ(TypeParam(got).__x, 0x7f);
      continue;
    }
    ASSERT_EQ(double(got), want);
    ASSERT_EQ(std::signbit(got), bits >= 0x80);
    ASSERT_EQ(TypeParam(got).__x, std::isinf(want) ? (bits & 0x80) | this->kLargest : bits);
  }
}

TYPED_TEST(Float8, RoundsOnce) {
  for (int bits = 0; bits < this->kLargest; ++bits) {
    const double a = this->decoded(bits), b = this->decoded(bits + 1), middle = (a + b) / 2;
    this->expect(a, bits, bits);
    this->expect(middle, bits + bits % 2, bits);
    this->expect(std::nextafter(middle, 0), bits, bits);
    this->expect(std::nextafter(middle, INFINITY), bits + 1, bits);
    this->expect(std::nextafter(b, 0), bits + 1, bits);
  }
}

TYPED_TEST(Float8, Saturates) {
  const int largest = this->kLargest;
  for (const double x :
       {this->decoded(largest) * 1.01, this->decoded(largest) * 2, 1e30, 1e300, double(INFINITY)})
    this->expect(x, largest, largest);
  this->expect(1e-300, 0, 0);
  for (const float x : {NAN, -NAN}) {
    EXPECT_EQ(TypeParam(x).__x, 0x7f);
    EXPECT_EQ(tile2cu::to_float8<TypeParam>(double(x)).__x, 0x7f);
    EXPECT_EQ(tile2cu::to_float8_rz<TypeParam>(x).__x, 0x7f);
  }
}

}  // namespace
}  // namespace device_tests
