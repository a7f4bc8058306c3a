// alias: the parameter that addresses are derived from.
#include "passes/analysis/memory/alias.h"

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

// How `store %q, %v` and `%x = load %p` overlap, with these parameters (%a, %b: pointers) and addresses.
Alias overlap(const std::string &parameters, const std::string &addresses) {
  ir::Module module;
  test::parseOrFail(
      test::kernelText(parameters + ", %n: i32",
                       "%i = arange {end = 8, start = 0} : tile<8xi32>\n"
                       "%ta = splat %a : tile<8xptr<f32>>\n%tb = splat %b : tile<8xptr<f32>>\n" +
                           addresses + "%x = load %p : tile<8xf32>\nstore %q, %x\n"),
      module);
  const ir::Op *load = test::find(module, "x")->definition;
  return alias(module.kernels.front(), load, load->next());
}

const char *const kPlain = "%a: ptr<f32>, %b: ptr<f32>";

TEST(Alias, OfAccesses) {
  const std::string other =
      "%p = addptr %ta, %i : tile<8xptr<f32>>\n%q = addptr %tb, %i : tile<8xptr<f32>>\n";
  EXPECT_EQ(overlap(kPlain, other), Alias::May);
  // One promise is enough.
  EXPECT_EQ(overlap("%a: ptr<f32> restrict, %b: ptr<f32>", other), Alias::None);
  EXPECT_EQ(overlap("%a: ptr<f32>, %b: ptr<f32> restrict", other), Alias::None);
  // The same tree, computed twice.
  EXPECT_EQ(overlap(kPlain,
                    "%p = addptr %ta, %i : tile<8xptr<f32>>\n%j = arange {end = 8, start = "
                    "0} : tile<8xi32>\n%q = addptr %ta, %j : tile<8xptr<f32>>\n"),
            Alias::SameElement);
  // Restrict says nothing about one pointer and itself.
  EXPECT_EQ(overlap("%a: ptr<f32> restrict, %b: ptr<f32> restrict",
                    "%p = addptr %ta, %i : tile<8xptr<f32>>\n%j = arange {end = 9, start = 1} : "
                    "tile<8xi32>\n%q = addptr %ta, %j : tile<8xptr<f32>>\n"),
            Alias::May);
  // A value loaded in between may have changed.
  EXPECT_EQ(overlap(kPlain,
                    "%pi = bitcast %i : tile<8xi32>\n%p = addptr %ta, %pi : "
                    "tile<8xptr<f32>>\n%pj = bitcast %i : tile<8xi32>\n%q = addptr %ta, "
                    "%pj : tile<8xptr<f32>>\n"),
            Alias::May);
}

TEST(Alias, ReadOnly) {
  auto readOnly = [](const std::string &type) {
    ir::Module module;
    bool isConst = type.find("const") != std::string::npos;
    std::string pointers = isConst ? "tile<8xptr<const f32>>" : "tile<8xptr<f32>>";
    test::parseOrFail(test::kernelText("%a: " + type, "%t = splat %a : " + pointers +
                                                          "\n%x = load %t : tile<8xf32>\n"),
                      module);
    return isReadOnly(module.kernels.front(), test::find(module, "x")->definition);
  };
  EXPECT_TRUE(readOnly("ptr<const f32> restrict"));
  EXPECT_FALSE(readOnly("ptr<const f32>"));
  EXPECT_FALSE(readOnly("ptr<f32> restrict"));
}

}  // namespace
}  // namespace tile2cu::passes
