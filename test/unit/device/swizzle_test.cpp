// Where swizzled tiles keep their elements: each at a place of its own, chunks whole, and eight rows of a matrix in all 32 banks.
#include <set>

#include "testing.h"

namespace device_tests {
namespace {

// COLUMNS elements of BYTES bytes a row.
template <int COLUMNS, int BYTES>
void check() {
  constexpr int CHUNK = 16 / BYTES;
  constexpr int ROWS = 64;
  std::set<int> places;
  for (int row = 0; row < ROWS; ++row) {
    for (int column = 0; column < COLUMNS; ++column) {
      const int place = tile2cu::swizzle<COLUMNS, CHUNK>(row, column);
      EXPECT_EQ(place / COLUMNS, row);
      EXPECT_TRUE(places.insert(place).second);
      const int first = tile2cu::swizzle<COLUMNS, CHUNK>(row, column / CHUNK * CHUNK);
      EXPECT_EQ(first % CHUNK, 0);
      EXPECT_EQ(place, first + column % CHUNK);
    }
  }
  for (int row = 0; row < ROWS; row += 8) {
    for (int chunk = 0; chunk < COLUMNS / CHUNK; ++chunk) {
      std::set<int> groups;  // of four banks
      for (int i = 0; i < 8; ++i)
        groups.insert(tile2cu::swizzle<COLUMNS, CHUNK>(row + i, chunk * CHUNK) * BYTES / 16 % 8);
      EXPECT_EQ(groups.size(), 8u) << COLUMNS << " columns, row " << row << ", chunk " << chunk;
    }
  }
}

TEST(Swizzle, HalvesReachAllBanks) {
  check<8, 2>();
  check<16, 2>();
  check<32, 2>();
  check<40, 2>();
  check<48, 2>();
  check<64, 2>();
  check<80, 2>();
  check<96, 2>();
  check<128, 2>();
  check<192, 2>();
  check<576, 2>();
}

TEST(Swizzle, OtherWidthsReachAllBanks) {
  check<16, 1>();
  check<64, 1>();
  check<96, 1>();
  check<8, 4>();
  check<20, 4>();
  check<32, 4>();
  check<64, 8>();
}

}  // namespace
}  // namespace device_tests
