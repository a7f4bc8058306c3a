// The numbers that test/emulate fills buffers with and compares: every pattern of each format, there and back.
#include <bit>
#include <cmath>
#include <cstdint>

#include "../../emulate/numbers.h"
#include "tile_test.h"

namespace {

using namespace emulate_test;

template <class T>
void expectAllPatterns16(int mantissa) {
  for (int bits = 0; bits <= 0xffff; ++bits) {
    const auto pattern = std::uint16_t(bits);
    const double value = from_16_bits(pattern, mantissa);
    const double expected = double(float(std::bit_cast<T>(pattern)));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      EXPECT_TRUE(std::isnan(from_16_bits(to_16_bits(value, mantissa), mantissa))) << bits;
      continue;
    }
    EXPECT_EQ(value, expected) << bits;
    EXPECT_EQ(to_16_bits(value, mantissa), bits);
  }
}

template <class T>
void expectAllPatterns8(int mantissa) {
  for (int bits = 0; bits <= 0xff; ++bits) {
    const auto pattern = std::uint8_t(bits);
    const double value = from_8_bits(pattern, mantissa);
    const double expected = double(float(std::bit_cast<T>(pattern)));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      continue;
    }
    EXPECT_EQ(value, expected) << bits;
    EXPECT_EQ(to_8_bits(value, mantissa), bits);
  }
}

TEST(EmulateNumbers, Float16) { expectAllPatterns16<tl::float16>(10); }
TEST(EmulateNumbers, Bfloat16) { expectAllPatterns16<tl::bfloat16>(7); }
TEST(EmulateNumbers, E4m3) { expectAllPatterns8<tl::float8_e4m3>(3); }
TEST(EmulateNumbers, E5m2) { expectAllPatterns8<tl::float8_e5m2>(2); }

// Values between two patterns.
TEST(EmulateNumbers, Rounding) {
  EXPECT_EQ(to_16_bits(1 + 0x1p-11, 10), 0x3c00);  // a tie, to even
  EXPECT_EQ(to_16_bits(1 + 0x3p-11, 10), 0x3c02);
  EXPECT_EQ(to_16_bits(0x1p-25, 10), 0);
  EXPECT_EQ(to_16_bits(-0x3p-26, 10), 0x8001);
  EXPECT_EQ(to_16_bits(2047.9 / 2048, 10), 0x3c00);
  EXPECT_EQ(to_16_bits(65519, 10), 0x7bff);
  EXPECT_EQ(to_16_bits(65520, 10), 0x7c00);
  EXPECT_EQ(to_16_bits(1 + 0x1p-8, 7), 0x3f80);
  EXPECT_EQ(to_16_bits(1 + 0x3p-8, 7), 0x3f82);
}

}  // namespace
