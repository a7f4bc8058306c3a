// Elements by their index, and in order.
#include <cmath>
#include <cstdint>
#include <limits>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::counting;
using tile_test::elements;
using tile_test::fromIndex;
using tile_test::same;

TEST(Order, Extract) {
  const auto x = counting<3, 4>();
  static_assert(same<decltype(extract(x, 1, std::int64_t{2})), int>);
  EXPECT_EQ(extract(x, 1, std::int64_t{2}), 6);
  EXPECT_EQ(extract(x, std::uint8_t{2}, 3u), 11);
  using t22 = tile<int, 2, 2>;
  const auto part = extract<2, 2>(x, 1, 2);
  static_assert(same<decltype(part), const t22>);
  EXPECT_TILE(t22, part, 6, 7, 10, 11);
  EXPECT_EQ(static_cast<float>(extract(cast<float16>(counting<5>()), 4)), 4.0f);
  EXPECT_TRUE(extract(counting<5>() == 3, 3));
  EXPECT_DEATH(extract(x, 3, 0), "an index is outside of the tile: extract");
  EXPECT_DEATH(extract(x, 0, -1), "an index is outside of the tile: extract");
  EXPECT_DEATH((extract<2, 2>(x, 0, 3)), "outside of the tile");
  EXPECT_DEATH(extract(x, ~0ull, 0), "outside of the tile");
}

TEST(Order, Insert) {
  using t6 = tile<int, 6>;
  EXPECT_TILE(t6, insert(counting<6>(), 9.75, 4), 0, 1, 2, 3, 9, 5);
  EXPECT_TILE(t6, insert(counting<6>(), full<int, 2>(7), 4), 0, 1, 2, 3, 7, 7);
  using t23 = tile<int, 2, 3>;
  const auto rows = insert(counting<2, 3>(), full<int, 1, 3>(8), 1, 0);
  EXPECT_TILE(t23, rows, 0, 1, 2, 8, 8, 8);
  const auto halves = insert(zeros<float16, 2>(), 0.1, 1);
  EXPECT_EQ(static_cast<float>(extract(halves, 1)), static_cast<float>(float16(0.1f)));
  EXPECT_DEATH(insert(counting<6>(), 1, 6), "an index is outside of the tile: insert");
  EXPECT_DEATH(insert(counting<6>(), counting<3>(), 4), "outside of the tile");
}

TEST(Order, Gather) {
  const auto x = counting<2, 3>();
  using t22 = tile<int, 2, 2>;
  const auto columns = gather(x, 2 - counting<2, 2>() % 2);
  EXPECT_TILE(t22, columns, 2, 1, 5, 4);
  using t43 = tile<int, 4, 3>;
  const auto rows = gather<0>(x, counting<4, 3>() % 2);
  EXPECT_TILE(t43, rows, 0, 4, 2, 3, 1, 5, 0, 4, 2, 3, 1, 5);
  const auto halves = cast<float16>(counting<5>());
  const auto bytes = cast<std::uint8_t>(4 - counting<5>());
  static_assert(same<decltype(gather(halves, bytes)), tile<float16, 5>>);
  EXPECT_EQ(elements(cast<int>(gather(halves, bytes))), (std::vector<int>{4, 3, 2, 1, 0}));
  EXPECT_DEATH(gather(x, counting<2, 4>()), "an index is outside of the tile: gather");
  EXPECT_DEATH(gather(counting<4>(), full<std::uint64_t, 1>(1ull << 32)), "outside of the tile");
  EXPECT_DEATH(gather(counting<4>(), full<std::int64_t, 1>(-1)), "outside of the tile");
}

TEST(Order, Scatter) {
  using t6 = tile<int, 6>;
  EXPECT_TILE(t6, scatter(zeros<int, 6>(), 5 - 2 * arange<3>(), arange<3>() + 1), 0, 3, 0, 2, 0, 1);
  const auto x = counting<3, 2>();
  using t32 = tile<int, 3, 2>;
  const auto rows = scatter<0>(x, full<int, 1, 2>(1), full<int, 1, 2>(9));
  EXPECT_TILE(t32, rows, 0, 1, 9, 9, 4, 5);
  EXPECT_DEATH(scatter(arange<4>(), arange<2>() + 3, arange<2>()),
               "an index is outside of the tile: scatter");
}

TEST(Order, ScatterAdd) {
  using t4 = tile<int, 4>;
  const auto mask = arange<6>() != 4;
  EXPECT_TILE(t4, scatter_add(arange<4>(), arange<6>() % 3, full<int, 6>(10)), 20, 21, 22, 3);
  EXPECT_TILE(t4, scatter_add(arange<4>(), arange<6>() % 5, full<int, 6>(10), mask), 20, 11, 12,
              13);
  EXPECT_TILE(t4, scatter(arange<4>(), arange<6>(), full<int, 6>(9), arange<6>() < 2), 9, 9, 2, 3);
}

TEST(Order, Histogram) {
  const auto x = counting<2, 4>() - 1;  // -1 to 6
  using t4 = tile<int, 4>;
  EXPECT_TILE(t4, histogram<4>(x), 1, 1, 1, 1);
  EXPECT_TILE(t4, histogram<4>(x, x != 2), 1, 1, 0, 1);
  EXPECT_TILE(t4, histogram<4>(cast<std::uint8_t>(arange<9>() % 2)), 5, 4, 0, 0);
  const auto sums = bincount<2>(arange<6>() % 2, cast<float16>(arange<6>()));
  static_assert(
      same<decltype(bincount<2>(arange<6>(), cast<float16>(arange<6>()))), tile<float, 2>>);
  EXPECT_EQ(elements(sums), (std::vector<float>{6, 9}));
}

TEST(Order, Sort) {
  const auto x = (5 * arange<6>() + 2) % 6;
  using t6 = tile<int, 6>;
  EXPECT_TILE(t6, sort(x), 0, 1, 2, 3, 4, 5);
  EXPECT_TILE(t6, sort(x, descending), 5, 4, 3, 2, 1, 0);
  EXPECT_TILE(t6, argsort(x), 2, 1, 0, 5, 4, 3);
  const auto y = reshape<3, 2>(x);  // 2 1 | 0 5 | 4 3
  EXPECT_EQ(elements(sort<0>(y)), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(elements(sort<1>(y)), (std::vector<int>{1, 2, 0, 5, 3, 4}));
  EXPECT_EQ(elements(argsort<-2>(y, descending)), (std::vector<int>{2, 1, 0, 2, 1, 0}));
  static_assert(same<decltype(argsort(cast<float16>(y))), tile<int, 3, 2>>);
  static_assert(same<decltype(sort(y > 1)), tile<bool, 3, 2>>);
  EXPECT_EQ(elements(sort(cast<std::uint64_t>(x) << 60)).back(), 5ull << 60);
}

TEST(Order, EqualElementsKeepTheirOrder) {
  const auto x = arange<8>() % 2;
  using t8 = tile<int, 8>;
  EXPECT_TILE(t8, argsort(x), 0, 2, 4, 6, 1, 3, 5, 7);
  EXPECT_TILE(t8, argsort(x, descending), 1, 3, 5, 7, 0, 2, 4, 6);
}

TEST(Order, NanIsTheLargest) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float values[] = {-nan, inf, 0, nan, -0.0f, -inf};
  const auto x = fromIndex<float, 6>([&](int i) { return values[i]; });
  using t6 = tile<int, 6>;
  EXPECT_TILE(t6, argsort(x), 5, 2, 4, 1, 0, 3);
  EXPECT_TILE(t6, argsort(x, descending), 0, 3, 1, 2, 4, 5);
  const auto up = elements(sort(x)), down = elements(sort(x, descending));
  EXPECT_TRUE(up[0] == -inf && std::signbit(up[1]) && !std::signbit(up[2]) && up[3] == inf);
  EXPECT_TRUE(std::isnan(up[4]) && std::isnan(up[5]) && std::isnan(down[0]));
  EXPECT_TRUE(down[2] == inf && !std::signbit(down[3]) && std::signbit(down[4]));
}

TEST(Order, TopK) {
  const auto [values, indices] = topk<2>(counting<2, 4>() % 3);  // 0 1 2 0 | 1 2 0 1
  using t22 = tile<int, 2, 2>;
  EXPECT_TILE(t22, values, 2, 1, 2, 1);
  EXPECT_TILE(t22, indices, 2, 1, 1, 0);
  const auto [all, places] = topk<2, 0>(counting<2, 4>());
  EXPECT_EQ(elements(all), (std::vector<int>{4, 5, 6, 7, 0, 1, 2, 3}));
  EXPECT_EQ(sum(places), 4);
}

}  // namespace
