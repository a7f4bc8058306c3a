// Elements by their index.
#include <cstdint>

#include "tile_test.h"

namespace {

using namespace tl;
using tile_test::elements;
using tile_test::fromIndex;
using tile_test::same;

template <int... D>
tile<int, D...> counting() {
  return fromIndex<int, D...>([](int i) { return i; });
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

}  // namespace
