// What is recognized as the rows and columns of an accumulator.
#include "passes/analysis/layout/accumulator_dims.h"

#include <gtest/gtest.h>

namespace tile2cu::passes {
namespace {

using namespace ir;

constexpr auto R = Unit::Register, L = Unit::Lane, W = Unit::Warp;

// 64 x 32 elements of 2 x 2 warps: each has 2 x 2 accumulators of 16 x 8.
const std::vector<Digit> kRows = {{L, 0, 4, 8}, {R, 2, 1, 2}, {R, 0, 1, 2}, {W, 0, 2, 2}};
const std::vector<Digit> kColumns = {{R, 3, 1, 2}, {L, 0, 1, 4}, {R, 1, 1, 2}, {W, 0, 1, 2}};

LayoutDim dimOf(int64_t size, const std::vector<Digit> &digits) {
  LayoutDim dim;
  dim.size = size;
  dim.digits.assign(digits.begin(), digits.end());
  return dim;
}

TEST(AccumulatorDims, RowsAndColumns) {
  EXPECT_TRUE(areMmaRows(dimOf(64, kRows)));
  EXPECT_FALSE(areMmaColumns(dimOf(64, kRows)));
  EXPECT_TRUE(areMmaColumns(dimOf(32, kColumns)));
  EXPECT_EQ(onlyWarpsOf(dimOf(64, kRows))->stride, 2);
  EXPECT_EQ(onlyWarpsOf(dimOf(32, {kColumns[0], kColumns[1]}))->extent, 1);
}

TEST(AccumulatorDims, OneDimensionOfBothHasNoWarpsOfItsColumns) {
  std::vector<Digit> digits = kColumns;
  digits.insert(digits.end(), kRows.begin(), kRows.end());
  EXPECT_FALSE(onlyWarpsOf(dimOf(2048, digits)));
  const Layout both(4, {2, 2, 2, 2}, {dimOf(2048, digits)});
  EXPECT_EQ(dividedColumns(both), nullptr);
  // Nor where only the rows have several warps.
  digits.erase(digits.begin() + 3);
  digits.back().stride = 1;
  const Layout ofRows(2, {2, 2, 2, 2}, {dimOf(1024, digits)});
  EXPECT_EQ(dividedColumns(ofRows), nullptr);
}

}  // namespace
}  // namespace tile2cu::passes
