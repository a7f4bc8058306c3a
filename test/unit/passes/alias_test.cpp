// alias: the parameter that addresses are derived from.
#include "passes/alias.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

std::optional<unsigned> baseOf(llvm::StringRef body) {
  ir::Module module;
  test::parseOrFail(
      test::kernelText("%a: ptr<const f32> restrict, %b: ptr<const f32>, %n: i32, %c: bool", body),
      module);
  return basePointer(test::find(module, "x"));
}

std::string loop(const std::string &next, const std::string &exit = "") {
  return "%r, %s = for %i = %n to %n step %n, %p = %a, %q = %b : ptr<const f32>, ptr<const f32> {\n"
         "%p2 = addptr %p, %n : ptr<const f32>\n%x = addptr %p2, %n : ptr<const f32>\n" +
         exit + "yield " + next + "\n}\n";
}

TEST(Alias, BasePointer) {
  EXPECT_EQ(baseOf("%x = addptr %b, %n : ptr<const f32>\n"), 1u);
  EXPECT_EQ(baseOf("%t = splat %a : tile<8xptr<const f32>>\n%x = expand_dims %t {axis = 0} : "
                   "tile<1x8xptr<const f32>>\n"),
            0u);
  EXPECT_EQ(baseOf("%x = select %c, %a, %b : ptr<const f32>\n"), std::nullopt);
}

TEST(Alias, BaseOfCarriedPointers) {
  EXPECT_EQ(baseOf(loop("%p2, %q")), 0u);
  EXPECT_EQ(baseOf(loop("%p2, %q") + "%y = load %r : f32\n"), 0u);
  // Exchanged in each iteration.
  EXPECT_EQ(baseOf(loop("%q, %p2")), std::nullopt);
  EXPECT_EQ(baseOf(loop("%p2, %q", "if %c {\ncontinue %b, %q\n}\n")), std::nullopt);
}

}  // namespace
}  // namespace tile2cu::passes
