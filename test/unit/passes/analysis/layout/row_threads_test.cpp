// row_threads: how many threads hold a row, and which rows take all of them.
#include "passes/analysis/layout/row_threads.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

// The full rows of a kernel with one tile of this type.
std::vector<FullRow> rowsOf(const std::string &type, int warps = 4) {
  ir::Module module;
  test::parseOrFail("level placed\nkernel @k() warps " + std::to_string(warps) +
                        " {\n  %x = undefined : tile<" + type + ">\n}\n",
                    module);
  return fullRows(module.kernels.front());
}

TEST(RowThreads, RowsOfAllThreads) {
  // 512 = 128 threads with a vector of 4, in either dimension.
  auto rows =
      rowsOf("8 x 512:K x f32, #<4 warps, [8, 1, 4], 8 = r0*8, 512:K = r2*4 lane*32 warp*4>");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].threads.str(), "128:K/4");
  EXPECT_EQ(rows[0].rows.size, 8);
  rows = rowsOf("512:K x 8 x f32, #<4 warps, [8, 1, 4], 512:K = r2*4 lane*32 warp*4, 8 = r0*8>");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].threads.str(), "128:K/4");
}

TEST(RowThreads, NoFullRows) {
  // Two rows at a time.
  EXPECT_TRUE(
      rowsOf(
          "8 x 256:K x f32, #<4 warps, [4, 1, 4], 8 = warp/2*2 r0*4, 256:K = r2*4 lane*32 warp*2>")
          .empty());
  // Without a formula, the number of threads has no text.
  EXPECT_TRUE(
      rowsOf("8x512xf32, #<4 warps, [8, 1, 4], 8 = r0*8, 512 = r2*4 lane*32 warp*4>").empty());
  // A single warp, and a padded row.
  EXPECT_TRUE(
      rowsOf("8 x 128:K x f32, #<1 warps, [8, 1, 4], 8 = r0*8, 128:K = r2*4 lane*32>", 1).empty());
  EXPECT_TRUE(
      rowsOf("8 x 500:K x f32, #<4 warps, [8, 1, 4], 8 = r0*8, 500:K = r2*4 lane*32 warp*4>")
          .empty());
  // A dimension.
  EXPECT_TRUE(rowsOf("512:K x f32, #<4 warps, [1, 4], 512:K = r1*4 lane*32 warp*4>").empty());
}

}  // namespace
}  // namespace tile2cu::passes
