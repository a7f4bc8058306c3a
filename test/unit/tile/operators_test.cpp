// Operators on tiles: values, broadcasting, compound assignment, 16-bit rounding.
#include <cmath>
#include <limits>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::fromIndex;
using tile_test::make;
using t3 = tile<int, 3>;
using b3 = tile<bool, 3>;

// op on tiles equals op on elements, for tile with tile, tile with scalar, scalar with tile.
template <class T, class Op>
void checkBinary(const std::vector<T>& values, Op op) {
  for (const T a : values) {
    for (const T b : values) {
      const auto expected = op(a, b);
      EXPECT_EQ(op(full<T, 2>(a), full<T, 2>(b)).data()[1], expected);
      EXPECT_EQ(op(full<T, 2>(a), b).data()[1], expected);
      EXPECT_EQ(op(a, full<T, 2>(b)).data()[0], expected);
    }
  }
}

template <class T>
void checkIntegers(const std::vector<T>& values) {
  checkBinary(values, [](auto a, auto b) { return a + b; });
  checkBinary(values, [](auto a, auto b) { return a - b; });
  checkBinary(values, [](auto a, auto b) { return a * b; });
  checkBinary(values, [](auto a, auto b) { return a & b; });
  checkBinary(values, [](auto a, auto b) { return a | b; });
  checkBinary(values, [](auto a, auto b) { return a ^ b; });
  checkBinary(values, [](auto a, auto b) { return a < b; });
  checkBinary(values, [](auto a, auto b) { return a <= b; });
  checkBinary(values, [](auto a, auto b) { return a > b; });
  checkBinary(values, [](auto a, auto b) { return a >= b; });
  checkBinary(values, [](auto a, auto b) { return a == b; });
  checkBinary(values, [](auto a, auto b) { return a != b; });
  checkBinary(values, [](auto a, auto b) { return a && b; });
  checkBinary(values, [](auto a, auto b) { return a || b; });
}

TEST(Operators, IntegersLikeCpp) {
  checkIntegers<std::int8_t>({-128, -3, 0, 1, 127});
  checkIntegers<std::uint8_t>({0, 1, 200, 255});
  checkIntegers<std::int16_t>({-32768, -1, 0, 5, 32767 / 2});
  checkIntegers<int>({-40000, -1, 0, 7, 40000});
  checkIntegers<unsigned>({0, 1, 0x80000000u, ~0u});
  checkIntegers<std::int64_t>({-(std::int64_t{1} << 31), -1, 0, 3, std::int64_t{1} << 31});
  checkIntegers<std::uint64_t>({0, 1, ~std::uint64_t{0}});
  checkBinary<int>({-7, -2, 2, 7}, [](auto a, auto b) { return a / b; });
  checkBinary<int>({-7, -2, 2, 7}, [](auto a, auto b) { return a % b; });
  checkBinary<std::uint64_t>({1, 5, ~std::uint64_t{0}}, [](auto a, auto b) { return a / b; });
}

TEST(Operators, FloatsLikeCpp) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  checkBinary<float>({-1.5f, 0, 3.25f, inf}, [](auto a, auto b) { return a * b != a + b; });
  checkBinary<double>({-1.5, -0.0, 3.25, nan}, [](auto a, auto b) { return a < b; });
  checkBinary<double>({-1.5, -0.0, 3.25, nan}, [](auto a, auto b) { return a != b; });
  checkBinary<double>({-1.5, 0.25, 3.0}, [](auto a, auto b) { return a / b; });
}

TEST(Operators, Shifts) {
  EXPECT_TILE(t3, arange<3>() << 4, 0, 16, 32);
  EXPECT_TILE(t3, 1 << arange<3>(), 1, 2, 4);
  EXPECT_TILE(t3, (full<int, 3>(-8)) >> arange<3>(), -8, -4, -2);
  using u3 = tile<unsigned, 3>;
  EXPECT_TILE(u3, (full<unsigned, 3>(0x80000000u)) >> std::int64_t{31}, 1, 1, 1);
  EXPECT_TILE(t3, (full<std::uint8_t, 3>(255)) << 1, 510, 510, 510);
}

TEST(Operators, Unary) {
  EXPECT_TILE(t3, -arange<3>(), 0, -1, -2);
  EXPECT_TILE(t3, ~arange<3>(), -1, -2, -3);
  EXPECT_TILE(b3, !arange<3>(), true, false, false);
  EXPECT_TILE(b3, ~(arange<3>() == 1), true, false, true);
  const auto negative_zero = -zeros<float, 2>();
  EXPECT_TRUE(std::signbit(negative_zero.data()[0]));
}

TEST(Operators, BoolTiles) {
  const auto m = arange<3>() < 2;
  const auto k = arange<3>() > 0;
  EXPECT_TILE(b3, m & k, false, true, false);
  EXPECT_TILE(b3, m | k, true, true, true);
  EXPECT_TILE(b3, m ^ k, true, false, true);
  EXPECT_TILE(b3, m && k, false, true, false);
  EXPECT_TILE(b3, m & true, true, true, false);
  EXPECT_TILE(t3, m + k, 1, 2, 1);
  EXPECT_TILE(b3, (full<float, 3>(0.5f)) && m, true, true, false);
}

TEST(Operators, Broadcast) {
  const auto rows = arange<2>()[all, none] * 10;
  const auto columns = arange<3>()[none, all];
  using t23 = tile<int, 2, 3>;
  EXPECT_TILE(t23, rows + columns, 0, 1, 2, 10, 11, 12);
  EXPECT_TILE(t23, rows + arange<3>(), 0, 1, 2, 10, 11, 12);
  EXPECT_TILE(t23, columns - rows, 0, 1, 2, -10, -9, -8);
  const auto deep = fromIndex<int, 2, 1, 3>([](int i) { return i; });
  using t223 = tile<int, 2, 2, 3>;
  EXPECT_TILE(t223, deep + rows, 0, 1, 2, 10, 11, 12, 3, 4, 5, 13, 14, 15);
}

TEST(Operators, CompoundAssignment) {
  auto x = arange<3>();
  x += 1;
  x *= x;
  EXPECT_TILE(t3, x, 1, 4, 9);
  x -= arange<3>();
  x <<= 1;
  x |= 1;
  EXPECT_TILE(t3, x, 3, 7, 15);
  x /= 2;
  x %= 4;
  x ^= 1;
  x >>= 1;
  x &= 3;
  EXPECT_TILE(t3, x, 0, 1, 1);
  auto h = full<float16, 2>(1);
  h *= 0.5;  // a double scalar keeps float16
  h += h;
  EXPECT_EQ(static_cast<float>(h.data()[1]), 1.0f);
  auto m = arange<3>() < 2;
  m &= arange<3>() > 0;
  EXPECT_TILE(b3, m, false, true, false);
  auto grown = zeros<int, 2, 3>();
  grown += arange<3>();  // the right side stretches
  EXPECT_EQ(elements(grown), (std::vector<int>{0, 1, 2, 0, 1, 2}));
}

TEST(Operators, ValuesAreCopied) {
  auto a = arange<3>();
  const auto b = a;
  a += 5;
  EXPECT_TILE(t3, b, 0, 1, 2);
  const tile<float, 2> zero;
  EXPECT_EQ(elements(zero), (std::vector<float>{0, 0}));
  auto c = full<float, 2>(3);
  const auto& alias = c;
  c = alias;
  EXPECT_EQ(elements(c), (std::vector<float>{3, 3}));
}

TEST(Operators, HalfRoundsEveryOperation) {
  const auto big = full<float16, 2>(2048);
  const auto one = full<float16, 2>(1);
  const auto sum = big + one + one;  // 2048 + 1 rounds to 2048, twice
  EXPECT_EQ(static_cast<float>(sum.data()[0]), 2048.0f);
  const auto wide = big + 1.0f + one;  // a float scalar widens
  EXPECT_EQ(wide.data()[0], 2050.0f);
  EXPECT_TILE(b3, (full<float16, 3>(0.1)) == 0.1, true, true, true);  // 0.1 is rounded too
  EXPECT_TILE(b3, (full<float16, 3>(0.1)) == 0.1f, false, false, false);
}

TEST(Operators, PointerArithmetic) {
  float data[12] = {};
  using p3 = tile<float*, 3>;
  EXPECT_TILE(p3, data + arange<3>() * 2, data, data + 2, data + 4);
  EXPECT_TILE(p3, arange<3>() + data, data, data + 1, data + 2);
  EXPECT_TILE(p3, (data + 5) - arange<3>(), data + 5, data + 4, data + 3);
  auto p = data + arange<3>();
  p += 3;
  p -= arange<3>();
  EXPECT_TILE(p3, p, data + 3, data + 3, data + 3);
  EXPECT_TILE(p3, 2 + p - std::uint8_t{1}, data + 4, data + 4, data + 4);
  using p23 = tile<float*, 2, 3>;
  EXPECT_TILE(p23, (data + arange<2>()[all, none] * 6) + arange<3>(), data, data + 1, data + 2,
              data + 6, data + 7, data + 8);
}

}  // namespace
