// Loops, and the integer helpers that kernels and launchers share.
#include <limits>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::same;

template <class R>
std::vector<std::int64_t> values(R range) {
  std::vector<std::int64_t> out;
  for (const auto i : range) out.push_back(i);
  return out;
}
using V = std::vector<std::int64_t>;

TEST(Range, CountsLikeAFor) {
  EXPECT_EQ(values(range(3)), (V{0, 1, 2}));
  EXPECT_EQ(values(range(0)), V{});
  EXPECT_EQ(values(range(-2)), V{});
  EXPECT_EQ(values(range(2, 5)), (V{2, 3, 4}));
  EXPECT_EQ(values(range(5, 2)), V{});
  EXPECT_EQ(values(range(0, 10, 4, {.num_stages = 2, .unroll = 2})), (V{0, 4, 8}));
  EXPECT_EQ(values(range(10, 0, -3)), (V{10, 7, 4, 1}));
  EXPECT_EQ(values(range(0, 10, 0)), V{});
  const int top = std::numeric_limits<int>::max();
  EXPECT_EQ(values(range(top - 2, top, 2, {.flatten = true})), (V{top - 2}));
  EXPECT_EQ(values(range(top - 1, top, 100)), (V{top - 1}));
  EXPECT_EQ(values(range(2, {.warp_specialize = true})), (V{0, 1}));
  EXPECT_EQ(values(range(2, {.warp_specialize = false})), (V{0, 1}));
  for (const auto i : range(std::int64_t{1}, 2))
    static_assert(same<decltype(i), const std::int64_t>);
  for (const auto i : range(1, 2)) static_assert(same<decltype(i), const int>);
}

TEST(StaticRange, IsConstant) {
  EXPECT_EQ(values(static_range<3>()), (V{0, 1, 2}));
  EXPECT_EQ(values(static_range<1, 3>()), (V{1, 2}));
  EXPECT_EQ(values(static_range<8, 0, -4>()), (V{8, 4}));
}

TEST(StaticFor, GivesConstants) {
  int total = 0;
  auto acc = zeros<int, 4>();
  static_for<3>([&](auto i) {
    constexpr int k = i;
    total += sum(arange<k + 1>());
    acc += arange<4>() * i;  // an operand like an int
  });
  EXPECT_EQ(total, 0 + 1 + 3);
  EXPECT_EQ(elements(acc), (std::vector<int>{0, 3, 6, 9}));
  static_for<0>([](auto) { FAIL(); });
}

TEST(Loop, CarriesTiles) {
  auto acc = zeros<float, 4>();
  for (int k = 0; k < 3; ++k) acc += arange<4>() * 1.0f;
  EXPECT_EQ(elements(acc), (std::vector<float>{0, 3, 6, 9}));
}

TEST(Helpers, Cdiv) {
  static_assert(cdiv(10, 4) == 3 && cdiv(8, 4) == 2 && cdiv(0, 4) == 0);
  static_assert(cdiv(std::numeric_limits<int>::max(), 2) == 1 << 30);
  static_assert(same<decltype(cdiv(std::int64_t{1}, 2)), std::int64_t>);
  using t3 = tile<int, 3>;
  EXPECT_TILE(t3, cdiv(arange<3>(), 2), 0, 1, 1);
}

TEST(Helpers, NextPowerOf2) {
  static_assert(next_power_of_2(0) == 1 && next_power_of_2(1) == 1 && next_power_of_2(2) == 2);
  static_assert(next_power_of_2(1000) == 1024 && next_power_of_2(1024) == 1024);
}

TEST(Inf, IsAFloat) {
  EXPECT_EQ(inf, std::numeric_limits<float>::infinity());
  EXPECT_EQ(-inf, -std::numeric_limits<float>::infinity());
}

}  // namespace
