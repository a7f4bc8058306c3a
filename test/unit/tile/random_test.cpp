// Philox-4x32-10 against its published vectors; distributions.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::same;

// The generator of the paper, with its whole 128-bit counter.
using Words = std::array<std::uint32_t, 4>;
Words reference(Words counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t left = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t right = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(right >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(right),
               static_cast<std::uint32_t>(left >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(left)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

TEST(Philox, PublishedVectors) {
  EXPECT_EQ(reference({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(reference({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(reference({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
  const auto [a, b, c, d] = philox(0, 0);
  EXPECT_EQ((Words{a, b, c, d}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST(Philox, SeedIsTheKeyAndTheCounterHas64Bits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t seed = random();
    const std::uint64_t counter = random();
    const auto [a, b, c, d] = philox(seed, full<std::uint64_t, 2>(counter));
    static_assert(same<decltype(a), const tile<unsigned, 2>>);
    const auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
    EXPECT_EQ((Words{a.data()[0], b.data()[1], c.data()[0], d.data()[1]}),
              reference({low(counter), low(counter >> 32), 0, 0}, {low(seed), low(seed >> 32)}));
  }
}

TEST(RandomBits, WordOfTheBlock) {
  const auto bits = random_bits(42, arange<12>());
  for (int block = 0; block < 3; ++block) {
    const auto [a, b, c, d] = philox(42, block);
    const std::uint32_t expected[] = {a, b, c, d};
    for (int k = 0; k < 4; ++k) EXPECT_EQ(bits.data()[4 * block + k], expected[k]);
  }
  EXPECT_EQ(random_bits(7, 5), random_bits(std::uint64_t{7}, std::uint8_t{5}));
  const auto far_away = random_bits(7, full<std::int64_t, 1>(std::int64_t{1} << 40));
  EXPECT_EQ(far_away.data()[0], philox(7, std::int64_t{1} << 38).v0);
}

TEST(Rand, UniformAndReproducible) {
  constexpr int n = 1 << 16;
  const auto x = rand(1234, arange<n>());
  static_assert(same<decltype(rand(1234, arange<n>())), tile<float, n>>);
  EXPECT_EQ(x.data()[5], static_cast<float>(random_bits(1234, 5) >> 8) * 0x1p-24f);
  auto sorted = elements(x);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_GE(sorted.front(), 0.0f);
  EXPECT_LT(sorted.back(), 1.0f);
  double distance = 0;  // Kolmogorov-Smirnov
  for (int i = 0; i < n; ++i) {
    const double here = sorted[static_cast<std::size_t>(i)];
    distance = std::max(distance, std::fabs(here - (i + 0.5) / n));
  }
  EXPECT_LT(distance, 0.01);
}

TEST(Randn, NormalMoments) {
  constexpr int n = 1 << 16;
  const auto x = randn(99, arange<n>());
  double moments[5] = {};
  for (const float v : x)
    for (int k = 1; k < 5; ++k) moments[k] += std::pow(v, k) / n;
  EXPECT_NEAR(moments[1], 0, 0.02);
  EXPECT_NEAR(moments[2], 1, 0.02);
  EXPECT_NEAR(moments[3], 0, 0.06);
  EXPECT_NEAR(moments[4], 3, 0.15);
  double products = 0;  // neighbours are independent
  for (int i = 0; i + 1 < n; i += 2)
    products += static_cast<double>(x.data()[i]) * static_cast<double>(x.data()[i + 1]);
  EXPECT_NEAR(products / (n / 2.0), 0, 0.02);
}

TEST(Randn, IsBoxMuller) {
  const float u1 = 1 - rand(5, 6);
  const float u2 = rand(5, 7);
  const float radius = std::sqrt(-2 * std::log(u1));
  EXPECT_NEAR(randn(5, 6), radius * std::cos(6.2831853f * u2), 1e-5);
  EXPECT_NEAR(randn(5, 7), radius * std::sin(6.2831853f * u2), 1e-5);
}

TEST(Randint, AreTheBits) {
  EXPECT_EQ(randint(3, 4), static_cast<int>(random_bits(3, 4)));
  static_assert(same<decltype(randint(1, arange<4>())), tile<int, 4>>);
}

}  // namespace
