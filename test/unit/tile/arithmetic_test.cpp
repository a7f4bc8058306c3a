// where, extremes, fma, conversions, map.
#include <cmath>
#include <limits>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::fromIndex;
using tile_test::make;
using tile_test::same;

const float kNan = std::numeric_limits<float>::quiet_NaN();
using f3 = tile<float, 3>;
using i3 = tile<int, 3>;

TEST(Where, SelectsAndBroadcasts) {
  const auto c = arange<3>() < 2;
  EXPECT_TILE(i3, where(c, arange<3>(), -1), 0, 1, -1);
  EXPECT_TILE(f3, where(c, 1.0f, arange<3>() + 0.5f), 1, 1, 2.5f);
  EXPECT_TILE(i3, where(true, arange<3>(), 9), 0, 1, 2);
  const auto wide = where((arange<2>() < 1)[all, none], arange<3>(), 7);
  EXPECT_EQ(elements(wide), (std::vector<int>{0, 1, 2, 7, 7, 7}));
  float a = 0;
  float b = 0;
  using p3 = tile<float*, 3>;
  EXPECT_TILE(p3, where(c, &a, &b + zeros<int, 3>()), &a, &a, &b);
}

TEST(Extremes, NanAndSignedZero) {
  const auto x = make<float, 3>({kNan, 1, kNan});
  const auto y = make<float, 3>({2, kNan, kNan});
  const auto low = minimum(x, y);
  EXPECT_EQ(low.data()[0], 2);
  EXPECT_EQ(low.data()[1], 1);
  EXPECT_TRUE(std::isnan(low.data()[2]));
  const auto kept = maximum(x, y, propagate_nan);
  EXPECT_TRUE(std::isnan(kept.data()[0]) && std::isnan(kept.data()[1]));
  EXPECT_FALSE(std::signbit(maximum(full<float, 1>(-0.0f), 0.0f).data()[0]));
  EXPECT_TRUE(std::signbit(minimum(full<float, 1>(0.0f), -0.0f).data()[0]));
  EXPECT_EQ(min(3, 2), 2);
  EXPECT_EQ(max(3, 2.5f), 3.0f);
  EXPECT_EQ(maximum(std::uint8_t{200}, std::uint8_t{100}), 200);
  EXPECT_TILE(i3, max(arange<3>(), 1), 1, 1, 2);
  EXPECT_EQ(static_cast<float>(min(float16(1), float16(-2))), -2.0f);
}

TEST(Extremes, Clamp) {
  EXPECT_TILE(i3, clamp(arange<3>() * 10, 5, 12), 5, 10, 12);
  const auto x = make<float, 3>({-inf, kNan, inf});
  EXPECT_TILE(f3, clamp(x, -1.0, 1.0), -1, -1, 1);
  EXPECT_TRUE(std::isnan(clamp(x, -1, 1, propagate_nan).data()[1]));
  EXPECT_EQ(clamp(7, 0, 5), 5);
}

TEST(Fma, RoundsOnce) {
  const float a = 1 + 0x1p-12f;
  const auto x = full<float, 3>(a);
  const float expected = std::fma(a, a, -1.0f);
  EXPECT_TILE(f3, fma(x, x, -1.0), expected, expected, expected);
  EXPECT_EQ(fma(a, a, -1.0f), expected);
  static_assert(same<decltype(fma(tile<float16, 2>(), 2.0, tile<float, 2>())), tile<float, 2>>);
}

TEST(Abs, KeepsTheType) {
  EXPECT_TILE(i3, abs(arange<3>() - 1), 1, 0, 1);
  const auto zero = abs(full<float16, 2>(-0.0));
  EXPECT_EQ(zero.data()[0].bits, 0);
  using u2 = tile<unsigned, 2>;
  EXPECT_TILE(u2, abs(full<unsigned, 2>(7)), 7, 7);
  static_assert(same<decltype(abs(tile<std::int8_t, 2>())), tile<std::int8_t, 2>>);
  EXPECT_EQ(tl::abs(-2.5f), 2.5f);
}

TEST(Umulhi, UpperHalf) {
  using u2 = tile<unsigned, 2>;
  EXPECT_TILE(u2, umulhi(full<unsigned, 2>(0x80000000u), 6), 3, 3);
  EXPECT_TILE(u2, umulhi(full<int, 2>(-1), full<int, 2>(-1)), 0xfffffffe, 0xfffffffe);
  using w2 = tile<std::uint64_t, 2>;
  EXPECT_TILE(w2, umulhi(full<std::uint64_t, 2>(1ull << 63), 4), 2, 2);
}

TEST(Mulhi, UpperHalf) {
  using l2 = tile<std::int64_t, 2>;
  using ints = tile<int, 2>;
  EXPECT_TILE(ints, mulhi(full<int, 2>(-1), 3), -1, -1);
  EXPECT_TILE(ints, mulhi(full<int, 2>(INT32_MIN), full<int, 2>(INT32_MIN)), 1 << 30, 1 << 30);
  EXPECT_TILE(ints, mulhi(full<std::int8_t, 2>(-5), 1 << 30), -2, -2);
  EXPECT_TILE(l2, mulhi(full<std::int64_t, 2>(INT64_MIN), 2), -1, -1);
  EXPECT_EQ(mulhi(std::int64_t{1} << 40, -(std::int64_t{1} << 40)), -(1 << 16));
  EXPECT_EQ(mulhi(0x80000000u, 6u), 3u);
  EXPECT_EQ(mulhi(std::uint64_t{1} << 63, 4), 2u);
  static_assert(same<decltype(mulhi(1, 2u)), unsigned>);
}

template <class To, class From>
void checkCast(const std::vector<From>& values) {
  for (const From v : values) {
    const auto x = cast<To>(full<From, 2>(v));
    static_assert(same<decltype(cast<To>(full<From, 2>(v))), tile<To, 2>>);
    EXPECT_EQ(x.data()[1], static_cast<To>(v)) << static_cast<double>(v);
    EXPECT_EQ(cast<To>(v), static_cast<To>(v));
  }
}

template <class From>
void checkCasts(const std::vector<From>& values) {
  checkCast<bool>(values);
  checkCast<std::int8_t>(values);
  checkCast<std::uint16_t>(values);
  checkCast<int>(values);
  checkCast<std::int64_t>(values);
  checkCast<float>(values);
  checkCast<double>(values);
}

TEST(Cast, AllPairs) {
  checkCasts<bool>({false, true});
  checkCasts<std::int8_t>({-128, -1, 0, 127});
  checkCasts<std::uint8_t>({0, 255});
  checkCasts<int>({-70000, -1, 0, 300, 1 << 30});
  checkCasts<std::int64_t>({-1, 0, std::int64_t{1} << 40});
  checkCasts<std::uint64_t>({0, ~std::uint64_t{0}});
  checkCasts<float>({0, 0.5f, 100.75f});
  checkCasts<double>({0, 0.25, 100.75});
  checkCast<std::uint8_t, float>({255.9f});
  EXPECT_TRUE(cast<bool>(0.25f));
  EXPECT_EQ(cast<int>(-2.75), -2);
  EXPECT_EQ(static_cast<float>(cast<float16>(bfloat16(3))), 3.0f);
  EXPECT_EQ(cast<int>(float16(-7.5f)), -7);
  EXPECT_FALSE(cast<bool>(float16(-0.0f)));
}

TEST(Cast, Rounding) {
  EXPECT_EQ(cast<float>(1 + 0x1.8p-24, rounding::rz), 1.0f);
  EXPECT_EQ(cast<float>(1 + 0x1.8p-24, rounding::rn), 1 + 0x1p-23f);
  EXPECT_EQ(cast<float>(-1e300, rounding::rz), -std::numeric_limits<float>::max());
  const auto x = cast<float16>(full<float, 2>(65519.0f), rounding::rz);
  EXPECT_EQ(static_cast<float>(x.data()[0]), 65504.0f);
  EXPECT_EQ(cast<bfloat16>(float16(0.3333f), rounding::rz).bits, 0x3eaa);
}

TEST(Bitcast, SameBits) {
  using i2 = tile<int, 2>;
  EXPECT_TILE(i2, bitcast<int>(full<float, 2>(1.0f)), 0x3f800000, 0x3f800000);
  EXPECT_EQ(bitcast<std::uint16_t>(float16(1)), 0x3c00);
  EXPECT_EQ(static_cast<float>(bitcast<bfloat16>(full<std::int16_t, 1>(0x4000)).data()[0]), 2.0f);
  float value = 3;
  const auto address = bitcast<std::int64_t>((&value) + zeros<int, 1>());
  EXPECT_EQ(load(bitcast<float*>(address)).data()[0], 3.0f);
}

float twice(float x) { return 2 * x; }

TEST(Map, AnyCallable) {
  EXPECT_TILE(f3, map(twice, arange<3>()), 0, 2, 4);
  int offset = 5;
  const auto branchy = [offset](int x, float y) {
    for (int i = 0; i < x; ++i) y += 1;
    return x == 1 ? y : y + static_cast<float>(offset);
  };
  EXPECT_TILE(f3, map(branchy, arange<3>(), 0.5f), 5.5f, 1.5f, 7.5f);
  const auto table =
      map([](int a, int b) { return a * 10 + b; }, arange<2>()[all, none], arange<3>());
  EXPECT_EQ(elements(table), (std::vector<int>{0, 1, 2, 10, 11, 12}));
  static_assert(same<decltype(map([](auto x) { return x > 1; }, i3())), tile<bool, 3>>);
}

// On the CPU the reference is called; its parameters convert.
TEST(Cuda, CallsTheReference) {
  EXPECT_TILE(f3, cuda("return x * 2;", twice, arange<3>()), 0, 2, 4);
  EXPECT_EQ(cuda("return x * 2;", twice, 1.5f), 3.0f);
  const auto sum = [](std::int8_t a, double b) { return static_cast<float>(a + b); };
  EXPECT_EQ(
      elements(cuda("return a + b;", sum, arange<2>()[all, none] * 256, full<float, 1>(0.5f))),
      (std::vector<float>{0.5f, 0.5f}));
  static_assert(same<decltype(cuda("", [](int x) { return x > 1; }, true)), bool>);
  static_assert(same<decltype(cuda("", sum, i3(), 1)), tile<float, 3>>);
}

// One with an effect is called once for each element of the broadcast shape.
TEST(Cuda, CallsTheReferenceForItsEffect) {
  int counts[3] = {};
  const int table[2] = {5, 7};
  const int* first = table;
  using i2 = tile<int, 2>;
  const auto add = [](int* p, int k) { *p += k; };
  cuda("*p += k;", add, writes(counts + arange<3>()), arange<3>());
  cuda("*p += k;", add, writes(counts + 1), 10);
  EXPECT_EQ(counts[0] + counts[1] * 100 + counts[2] * 10000, 20000 + 1100);
  const auto get = [](const int* p, int k) { return p[k]; };
  EXPECT_EQ(cuda("return p[k];", get, reads(first), 1), 7);
  EXPECT_TILE(i2, cuda("return p[k];", get, reads(first), arange<2>()), 5, 7);
  EXPECT_EQ(elements(cuda(
                "return *p > k;", [](int* p, int k) { return (*p)++ > k; },
                writes(counts + zeros<int, 2, 1>()), arange<2>() + 1)),
            (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(counts[0], 4);
  static_assert(same<decltype(cuda("(void)x;", [](int) {}, i3())), void>);
}

}  // namespace
