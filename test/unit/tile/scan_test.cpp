// Scans along every axis, both directions, tuples.
#include <tuple>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::fromIndex;
using tile_test::make;
using tile_test::same;

using i4 = tile<int, 4>;

TEST(Scan, OneDimension) {
  const auto x = arange<1, 5>();
  EXPECT_TILE(i4, cumsum(x), 1, 3, 6, 10);
  EXPECT_TILE(i4, cumprod(x), 1, 2, 6, 24);
  EXPECT_TILE(i4, cumsum(x, reverse), 10, 9, 7, 4);
  EXPECT_TILE(i4, cumprod<0>(x, reverse), 24, 24, 12, 4);
  EXPECT_TILE(i4, cumsum(x > 2), 0, 0, 1, 2);
}

template <int Axis, class X>
void checkAxis(const X& x) {
  const int axis = Axis < 0 ? Axis + X::rank : Axis;
  int inner = 1;
  for (int k = axis + 1; k < X::rank; ++k) inner *= X::dim(k);
  const auto forward = cumsum<Axis>(x);
  const auto backward = cumsum<Axis>(x, reverse);
  const auto first = associative_scan<Axis>(x, [](int a, int) { return a; });
  const auto last = associative_scan<Axis>(x, [](int, int b) { return b; });
  EXPECT_EQ(elements(last), elements(x));
  for (int i = 0; i < X::size; ++i) {
    const int at = i / inner % X::dim(axis);
    int before = 0;
    int after = 0;
    for (int k = 0; k <= at; ++k) before += x.data()[i - k * inner];
    for (int k = 0; k < X::dim(axis) - at; ++k) after += x.data()[i + k * inner];
    EXPECT_EQ(forward.data()[i], before);
    EXPECT_EQ(backward.data()[i], after);
    EXPECT_EQ(first.data()[i], x.data()[i - at * inner]);
  }
}

TEST(Scan, EveryAxis) {
  const auto scrambled = [](int i) { return i * 37 % 23 - 9; };
  checkAxis<0>(fromIndex<int, 4, 6>(scrambled));
  checkAxis<1>(fromIndex<int, 4, 6>(scrambled));
  checkAxis<0>(fromIndex<int, 3, 4, 5>(scrambled));
  checkAxis<1>(fromIndex<int, 3, 4, 5>(scrambled));
  checkAxis<-1>(fromIndex<int, 3, 4, 5>(scrambled));
}

TEST(Scan, SixteenBitFloatsGiveFloat) {
  const auto x = full<float16, 4096>(1);
  const auto s = cumsum(x);
  static_assert(same<decltype(cumsum(x)), tile<float, 4096>>);
  EXPECT_EQ(s.data()[4095], 4096.0f);
  static_assert(same<decltype(associative_scan<0>(x, [](auto a, auto b) { return a + b; })),
                     tile<float16, 4096>>);
}

// h[i] = a[i] * h[i - 1] + b[i] as a scan of pairs.
TEST(Scan, LinearRecurrence) {
  const auto a =
      fromIndex<float, 2, 8>([](int i) { return 0.5f + 0.1f * static_cast<float>(i % 3); });
  const auto b = fromIndex<float, 2, 8>([](int i) { return static_cast<float>(i % 5) - 2; });
  const auto combine = [](const auto& x, const auto& y) {
    const auto [xa, xb] = x;
    const auto [ya, yb] = y;
    auto out = x;
    auto& [oa, ob] = out;
    oa = xa * ya;
    ob = xb * ya + yb;
    return out;
  };
  const auto [unused, h] = associative_scan<1>(tuple(a, b), combine);
  const auto [unused2, h2] = associative_scan<1>(std::tuple(a, b), combine);
  EXPECT_EQ(unused.size, unused2.size);
  EXPECT_EQ(elements(h), elements(h2));
  for (int row = 0; row < 2; ++row) {
    float expected = 0;
    for (int i = row * 8; i < row * 8 + 8; ++i) {
      expected = a.data()[i] * expected + b.data()[i];
      EXPECT_FLOAT_EQ(h.data()[i], expected);
    }
  }
}

TEST(Scan, ReverseGivesTheScannedPartFirst) {
  const auto x = arange<4>();
  const auto digits = associative_scan<0>(x, [](int a, int b) { return a * 10 + b; }, reverse);
  EXPECT_TILE(i4, digits, 3210, 321, 32, 3);
}

}  // namespace
