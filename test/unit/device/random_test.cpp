// Philox against the published vector, and the threshold that replaces a comparison of floats.
#include <random>

#include "testing.h"

namespace device_tests {
namespace {

namespace t = tile2cu;

TEST(Random, PublishedVectors) {
  const auto zero = t::philox4x32(0, 0);
  EXPECT_EQ(zero[0], 0x6627e8d5u);
  EXPECT_EQ(zero[1], 0xe169c58du);
  EXPECT_EQ(zero[2], 0xbc57ac4cu);
  EXPECT_EQ(zero[3], 0x9b00dbd8u);
}

// Random123's algorithm as its paper has it, one array at a time.
std::array<uint32_t, 4> reference(uint64_t seed, uint64_t counter) {
  std::array<uint32_t, 4> c = {uint32_t(counter), uint32_t(counter >> 32), 0, 0};
  uint32_t k[2] = {uint32_t(seed), uint32_t(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53u} * c[0], p1 = uint64_t{0xCD9E8D57u} * c[2];
    c = {uint32_t(p1 >> 32) ^ c[1] ^ k[0], uint32_t(p1), uint32_t(p0 >> 32) ^ c[3] ^ k[1],
         uint32_t(p0)};
    k[0] += 0x9E3779B9u;
    k[1] += 0xBB67AE85u;
  }
  return c;
}

template <int N>
void checkBits(uint64_t seed, uint64_t offset) {
  const auto bits = t::random_bits<N>(seed, offset);
  for (int e = 0; e < N; ++e) {
    EXPECT_EQ(bits[e], reference(seed, (offset + e) / 4)[(offset + e) % 4])
        << N << " at " << offset;
  }
}

TEST(Random, WordsOfConsecutiveOffsets) {
  for (const uint64_t seed : {uint64_t{0}, uint64_t{0x123456789abcdef}, ~uint64_t{0}}) {
    for (const uint64_t base : {uint64_t{0}, uint64_t{1} << 34, uint64_t{0} - 16}) {
      for (uint64_t i = 0; i < 8; ++i) {
        checkBits<1>(seed, base + i);
        checkBits<2>(seed, base + i);
      }
      checkBits<4>(seed, base + 4);
      checkBits<8>(seed, base + 4);
    }
  }
}

TEST(Random, UniformHalfOpen) {
  EXPECT_EQ(t::to_uniform(0), 0.0f);
  EXPECT_EQ(t::to_uniform(0xff), 0.0f);
  EXPECT_EQ(t::to_uniform(0x100), 0x1p-24f);
  EXPECT_EQ(t::to_uniform(~0u), 1.0f - 0x1p-24f);
}

void checkThreshold(float p, uint32_t bits) {
  EXPECT_EQ(bits > t::uniform_threshold(p), t::to_uniform(bits) > p) << p << " " << bits;
}

TEST(Random, ThresholdIsTheComparison) {
  std::vector<float> limits = {0.0f,      -0.0f, 1.0f,   NAN,       -NAN,       INFINITY,
                               -INFINITY, 1e30f, -1e30f, 0x1p-149f, -0x1p-149f, 0x1p-24f,
                               0x1p-25f,  0.1f,  0.5f,   0.9f,      2.0f,       -2.0f};
  for (const float edge : std::vector<float>(limits)) {
    limits.push_back(std::nextafter(edge, INFINITY));
    limits.push_back(std::nextafter(edge, -INFINITY));
  }
  for (int i = 1; i <= 64; ++i) limits.push_back(1.0f - float(i) * 0x1p-24f);
  std::mt19937 random(9);
  for (int i = 0; i < 20000; ++i) limits.push_back(float(random()) * 0x1p-32f);
  for (const float p : limits) {
    // Around the threshold itself, and at both ends.
    const uint32_t at = t::uniform_threshold(p).bits;
    for (int d = -513; d <= 513; ++d) checkThreshold(p, at + uint32_t(d));
    for (uint32_t d = 0; d < 4; ++d) {
      checkThreshold(p, d);
      checkThreshold(p, ~d);
      checkThreshold(p, uint32_t(random()));
    }
  }
}

// All 2^24 values of the uniform, against limits at and next to each of them.
TEST(Random, ThresholdIsTheComparisonEverywhere) {
  for (uint32_t top = 0; top < 1u << 24; ++top) {
    const float u = float(top) * 0x1p-24f;
    const uint32_t bits = top << 8 | 0x5a;
    ASSERT_FALSE(bits > t::uniform_threshold(u));
    ASSERT_TRUE(bits > t::uniform_threshold(std::nextafter(u, -1.0f)));
  }
}

}  // namespace
}  // namespace device_tests
