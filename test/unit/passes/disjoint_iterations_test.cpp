// disjoint_iterations: loops whose iterations never meet.
#include "passes/disjoint_iterations.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

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

TEST(DisjointIterations, Loops) {
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
  // Or in more bits, but not in fewer, which come around.
  EXPECT_TRUE(
      disjoint("%o = cast %k : i64\n%base = addptr %p, %o : ptr<f32>\n%t = splat %base "
               ": tile<128xptr<f32>>\n%x = addptr %t, %i : tile<128xptr<f32>>\n"));
  EXPECT_FALSE(
      disjoint("%o = cast %k : i8\n%base = addptr %p, %o : ptr<f32>\n%t = splat %base "
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
