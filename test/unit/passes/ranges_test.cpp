// ranges: the numbers that the elements of a tile can be.
#include "passes/ranges.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

using Bounds = std::pair<int64_t, int64_t>;

std::optional<Bounds> rangeIn(const std::string &body) {
  ir::Module module;
  test::parseOrFail(test::kernelText("%p: ptr<f32>, %n: i32, %u: u32",
                                     "%i = arange {end = 100, start = -4} : tile<104xi32>\n"
                                     "%k = constant 3 : i32\n%ks = splat %k : tile<104xi32>\n"
                                     "%m = constant -2 : i32\n%ms = splat %m : tile<104xi32>\n" +
                                         body),
                    module);
  auto range = rangeOf(test::find(module, "x"));
  if (!range) return std::nullopt;
  return Bounds{range->low, range->high};
}

TEST(Ranges, Arithmetic) {
  EXPECT_EQ(rangeIn("%x = add %i, %ks : tile<104xi32>\n"), Bounds(-1, 102));
  EXPECT_EQ(rangeIn("%x = sub %ks, %i : tile<104xi32>\n"), Bounds(-96, 7));
  EXPECT_EQ(rangeIn("%x = mul %i, %ms : tile<104xi32>\n"), Bounds(-198, 8));
  EXPECT_EQ(rangeIn("%x = mul %i, %i : tile<104xi32>\n"), Bounds(-396, 9801));
  EXPECT_EQ(rangeIn("%x = cast %i : tile<104xi64>\n"), Bounds(-4, 99));
  EXPECT_EQ(rangeIn("%e = expand_dims %i {axis = 0} : tile<1x104xi32>\n%x = broadcast %e : "
                    "tile<8x104xi32>\n"),
            Bounds(-4, 99));
}

// What is not known, or goes around, is what the type can be.
TEST(Ranges, Unknown) {
  const Bounds i8(-128, 127), i32(INT32_MIN, INT32_MAX), u32(0, UINT32_MAX);
  EXPECT_EQ(rangeIn("%x = splat %n : tile<104xi32>\n"), i32);
  EXPECT_EQ(rangeIn("%t = splat %n : tile<104xi32>\n%x = add %i, %t : tile<104xi32>\n"), i32);
  EXPECT_EQ(rangeIn("%x = cast %i : tile<104xu32>\n"), u32);
  EXPECT_EQ(rangeIn("%x = xor %i, %ks : tile<104xi32>\n"), i32);
  EXPECT_EQ(rangeIn("%x = cast %i : tile<104xi8>\n"), Bounds(-4, 99));
  EXPECT_EQ(rangeIn("%d = add %i, %i : tile<104xi32>\n%x = cast %d : tile<104xi8>\n"), i8);
  EXPECT_EQ(rangeIn("%b = constant 4611686018427387904 : i64\n%bs = splat %b : tile<104xi64>\n%x = "
                    "mul %bs, %bs : tile<104xi64>\n"),
            Bounds(INT64_MIN, INT64_MAX));
}

}  // namespace
}  // namespace tile2cu::passes
