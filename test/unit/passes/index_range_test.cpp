// index_range: the values of index tiles, and loops whose iterations never meet.
#include "passes/index_range.h"

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

TEST(IndexRange, Arithmetic) {
  EXPECT_EQ(rangeIn("%x = add %i, %ks : tile<104xi32>\n"), Bounds(-1, 102));
  EXPECT_EQ(rangeIn("%x = sub %ks, %i : tile<104xi32>\n"), Bounds(-96, 7));
  EXPECT_EQ(rangeIn("%x = mul %i, %ms : tile<104xi32>\n"), Bounds(-198, 8));
  EXPECT_EQ(rangeIn("%x = mul %i, %i : tile<104xi32>\n"), Bounds(-396, 9801));
  EXPECT_EQ(rangeIn("%x = cast %i : tile<104xi64>\n"), Bounds(-4, 99));
  EXPECT_EQ(rangeIn("%e = expand_dims %i {axis = 0} : tile<1x104xi32>\n%x = broadcast %e : "
                    "tile<8x104xi32>\n"),
            Bounds(-4, 99));
}

TEST(IndexRange, Unknown) {
  EXPECT_EQ(rangeIn("%x = splat %n : tile<104xi32>\n"), std::nullopt);
  EXPECT_EQ(rangeIn("%t = splat %n : tile<104xi32>\n%x = add %i, %t : tile<104xi32>\n"),
            std::nullopt);
  // -4 is a large number then.
  EXPECT_EQ(rangeIn("%x = cast %i : tile<104xu32>\n"), std::nullopt);
  EXPECT_EQ(rangeIn("%x = xor %i, %ks : tile<104xi32>\n"), std::nullopt);
  // No overflow here either.
  EXPECT_EQ(rangeIn("%b = constant 4611686018427387904 : i64\n%bs = splat %b : tile<104xi64>\n%x = "
                    "add %bs, %bs : tile<104xi64>\n"),
            std::nullopt);
}

// Whether iterations of a loop with this step, whose addresses are %x, never meet.
bool disjoint(const std::string &body, const std::string &step = "%k128") {
  const std::string loop = "for %k = %zero to %n step " + step + " {\n";
  ir::Module module;
  test::parseOrFail(
      test::kernelText("%p: ptr<f32>, %n: i32, %s: i32",
                       "%zero = constant 0 : i32\n%k128 = constant 128 : i32\n%k127 = constant 127 "
                       ": i32\n%down = constant -128 : i32\n%i = arange {end = 128, start = 0} : "
                       "tile<128xi32>\n" +
                           loop + body + "}\n"),
      module);
  const ir::Value *x = test::find(module, "x");
  return disjointIterations(x, x->definition->parentOp());
}

const char *const kMoving =
    "%base = addptr %p, %k : ptr<f32>\n%t = splat %base : tile<128xptr<f32>>\n"
    "%x = addptr %t, %i : tile<128xptr<f32>>\n";

TEST(IndexRange, DisjointIterations) {
  EXPECT_TRUE(disjoint(kMoving));
  EXPECT_TRUE(disjoint(kMoving, "%down"));
  // One element is met again, or nobody knows.
  EXPECT_FALSE(disjoint(kMoving, "%k127"));
  EXPECT_FALSE(disjoint(kMoving, "%s"));
  EXPECT_FALSE(disjoint(kMoving, "%zero"));
  // The base stays, moves by a product, or moves twice (which may overflow unseen).
  EXPECT_FALSE(
      disjoint("%t = splat %p : tile<128xptr<f32>>\n%x = addptr %t, %i : "
               "tile<128xptr<f32>>\n"));
  EXPECT_FALSE(
      disjoint("%o = mul %k, %s : i32\n%base = addptr %p, %o : ptr<f32>\n%t = splat %base "
               ": tile<128xptr<f32>>\n%x = addptr %t, %i : tile<128xptr<f32>>\n"));
  EXPECT_FALSE(
      disjoint("%o = add %k, %k : i32\n%base = addptr %p, %o : ptr<f32>\n%t = splat %base "
               ": tile<128xptr<f32>>\n%x = addptr %t, %i : tile<128xptr<f32>>\n"));
  // Something else is added that stays the same.
  EXPECT_TRUE(
      disjoint("%o = add %k, %s : i32\n%base = addptr %p, %o : ptr<f32>\n%t = splat %base "
               ": tile<128xptr<f32>>\n%x = addptr %t, %i : tile<128xptr<f32>>\n"));
  // An offset of unknown reach.
  EXPECT_FALSE(
      disjoint("%base = addptr %p, %k : ptr<f32>\n%t = splat %base : tile<128xptr<f32>>\n"
               "%ss = splat %s : tile<128xi32>\n%o = mul %i, %ss : tile<128xi32>\n"
               "%x = addptr %t, %o : tile<128xptr<f32>>\n"));
  // Two rows: the reach is 128 + 128.
  EXPECT_FALSE(
      disjoint("%base = addptr %p, %k : ptr<f32>\n%t = splat %base : tile<128xptr<f32>>\n"
               "%y = addptr %t, %i : tile<128xptr<f32>>\n%x = addptr %y, %i : "
               "tile<128xptr<f32>>\n"));
}

}  // namespace
}  // namespace tile2cu::passes
