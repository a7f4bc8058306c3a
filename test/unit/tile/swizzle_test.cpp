// swizzle2d: the order of Triton's grouped programs.
#include <cstdint>
#include <utility>

#include "tile_test.h"

namespace {

using namespace tl;

// The order by its definition: groups of rows from the top; in a group column by column, each from
// its first row to its last.
std::vector<std::pair<int, int>> groupedOrder(int rows, int columns, int group) {
  std::vector<std::pair<int, int>> order;
  for (int first = 0; first < rows; first += group)
    for (int column = 0; column < columns; ++column)
      for (int row = first; row < first + group && row < rows; ++row)
        order.emplace_back(row, column);
  return order;
}

TEST(Swizzle2d, WalksGroupsOfRowsColumnByColumn) {
  for (int rows = 1; rows <= 9; ++rows)
    for (int columns = 1; columns <= 7; ++columns)
      for (int group = 1; group <= 10; ++group) {
        std::vector<std::pair<int, int>> order;
        for (int id = 0; id < rows * columns; ++id) {
          const auto [row, column] = swizzle2d(id, rows, columns, group);
          order.emplace_back(row, column);
          const auto wide = swizzle2d(std::int64_t{id}, rows, columns, group);
          ASSERT_TRUE(wide.x == row && wide.y == column);
        }
        ASSERT_EQ(order, groupedOrder(rows, columns, group)) << rows << columns << group;
      }
}

// Ints, as long as rows * columns is one: groups that are larger than the matrix, too.
TEST(Swizzle2d, CountsInInts) {
  constexpr auto last = swizzle2d(2'147'483'646, 1, 2'147'483'647, 1 << 30);
  static_assert(last.x == 0 && last.y == 2'147'483'646);
  constexpr auto wide_group = swizzle2d(7, 2, 4, std::int64_t{1} << 40);
  static_assert(wide_group.x == 1 && wide_group.y == 3);
  constexpr auto single = swizzle2d(7, 2, 4, 1);
  static_assert(single.x == 1 && single.y == 3);
  constexpr auto large = swizzle2d(3'000'000'000u, 3u, 1'000'000'001u, 2);
  static_assert(large.x == 2 && large.y == 999'999'998);
}

TEST(Swizzle2d, IsAnAggregateOf64BitIds) {
  constexpr auto at = swizzle2d(4, 5, 7, 3);  // the second column of the first group
  static_assert(tile_test::same<decltype(at), const ids2> && at.x == 1 && at.y == 1);
  constexpr auto far = swizzle2d(5'000'000'003, 4, std::int64_t{1} << 31, 2);
  static_assert(far.x == 3 && far.y == (5'000'000'003 - (std::int64_t{1} << 32)) / 2);
}

__tile_global__ void number(int* out, int rows, int columns) {
  auto id = grid(rows * columns);
  auto [row, column] = swizzle2d(id, rows, columns, 2);
  store(out + row * columns + column, cast<int>(id));
}

TEST(Swizzle2d, NumbersTheProgramsOfAKernel) {
  std::vector<int> out(3 * 2, -1);
  EXPECT_EQ(launch(number, out.data(), 3, 2), success);
  EXPECT_EQ(out, (std::vector<int>{0, 2, 1, 3, 4, 5}));
}

}  // namespace
