// access: how wide an access can be, which form its mask has, and what it is that limits it.
#include "passes/analysis/memory/global_access.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

// The access of `%x`, a load or atomic, along its fastest dimension (or `dim`).
struct Result {
  Access access;
  unsigned fastest = 0;
  std::string str() const {
    const char *const forms[] = {"uniform", "prefix", "element"};
    return std::to_string(access.vector) + " " + forms[int(access.form)] +
           (access.limit.empty() ? "" : ": " + access.limit);
  }
};

Result accessOf(const std::string &body, int dim = -1) {
  const std::string head =
      "%i = arange {end = 128, start = 0} : tile<128xi32>\n"
      "%pt = splat %p : tile<128xptr<f32>>\n%at = addptr %pt, %i : tile<128xptr<f32>>\n"
      "%ns = splat %n : tile<128xi32>\n%n4s = splat %n4 : tile<128xi32>\n";
  ir::Module module;
  test::parseOrFail(test::kernelText("%p: ptr<f32> aligned 16, %q: ptr<f32> aligned 8, %n: i32, "
                                     "%n4: i32 divisible 4, %h: ptr<f16> aligned 16, %n2: i32 "
                                     "divisible 2, %d: ptr<f64> aligned 16, %on: bool",
                                     head + body),
                    module);
  AxisAnalysis analysis(module.kernels.front(), {});
  const ir::Op *op = test::find(module, "x")->definition;
  Result result;
  result.fastest = contiguousDim(op, analysis);
  result.access = accessAlong(op, dim < 0 ? result.fastest : unsigned(dim), analysis);
  return result;
}
std::string textOf(const std::string &body, int dim = -1) { return accessOf(body, dim).str(); }

TEST(Access, WidthFollowsTypeAndAlignment) {
  EXPECT_EQ(textOf("%x = load %at : tile<128xf32>\n"), "4 uniform");
  EXPECT_EQ(textOf("%ht = splat %h : tile<128xptr<f16>>\n%ha = addptr %ht, %i : "
                   "tile<128xptr<f16>>\n%x = load %ha : tile<128xf16>\n"),
            "8 uniform");
  EXPECT_EQ(textOf("%dt = splat %d : tile<128xptr<f64>>\n%da = addptr %dt, %i : "
                   "tile<128xptr<f64>>\n%x = load %da : tile<128xf64>\n"),
            "2 uniform");
  EXPECT_EQ(textOf("%qt = splat %q : tile<128xptr<f32>>\n%qa = addptr %qt, %i : "
                   "tile<128xptr<f32>>\n%x = load %qa : tile<128xf32>\n"),
            "2 uniform: addresses are known to be aligned to 8 bytes only");
}

TEST(Access, AdditionsAreVectorsWhereTheyMayBe) {
  const std::string value = "%one = constant 1.0 : f32\n%v = splat %one : tile<128xf32>\n";
  EXPECT_EQ(textOf(value + "%x = atomic %at, %v {update = add} : tile<128xf32>\n"),
            "1 element: atomics are done element by element");
  EXPECT_EQ(textOf(value + "%x = atomic %at, %v {update = add, vectors = true} : tile<128xf32>\n"),
            "4 uniform");
  EXPECT_EQ(
      textOf(value + "%m = lt %i, %ns : tile<128xbool>\n"
                     "%x = atomic %at, %v, %m {update = add, vectors = true} : tile<128xf32>\n"),
      "4 prefix");
}

TEST(Access, WidthFollowsContiguity) {
  EXPECT_EQ(textOf("%k = constant 2 : i32\n%ks = splat %k : tile<128xi32>\n%j = mul %i, %ks : "
                   "tile<128xi32>\n%b = addptr %pt, %j : tile<128xptr<f32>>\n%x = load %b : "
                   "tile<128xf32>\n"),
            "1 uniform: neighbouring elements are not neighbours in memory");
  // Pairs of neighbours: 0 1 0 1 ...
  EXPECT_EQ(textOf("%k = constant 2 : i32\n%ks = splat %k : tile<128xi32>\n%j = rem %i, %ks : "
                   "tile<128xi32>\n%b = addptr %pt, %j : tile<128xptr<f32>>\n%x = load %b : "
                   "tile<128xf32>\n"),
            "2 uniform: addresses run on for 2 elements only");
  EXPECT_EQ(textOf("%b = addptr %pt, %ns : tile<128xptr<f32>>\n%x = load %b : tile<128xf32>\n"),
            "1 uniform: neighbouring elements are not neighbours in memory");
}

TEST(Access, MaskForms) {
  EXPECT_EQ(textOf("%m = lt %i, %n4s : tile<128xbool>\n%x = load %at, %m : tile<128xf32>\n"),
            "4 uniform");
  EXPECT_EQ(textOf("%m = lt %i, %ns : tile<128xbool>\n%x = load %at, %m : tile<128xf32>\n"),
            "4 prefix");
  EXPECT_EQ(textOf("%m = gt %ns, %i : tile<128xbool>\n%x = load %at, %m : tile<128xf32>\n"),
            "4 prefix");
  EXPECT_EQ(textOf("%m = splat %on : tile<128xbool>\n%x = load %at, %m : tile<128xf32>\n"),
            "4 uniform");
  // One bound among uniform parts is a prefix, two are not.
  EXPECT_EQ(textOf("%a = lt %i, %ns : tile<128xbool>\n%b = lt %i, %n4s : tile<128xbool>\n%m = and "
                   "%b, %a : tile<128xbool>\n%x = load %at, %m : tile<128xf32>\n"),
            "4 prefix");
  EXPECT_EQ(textOf("%a = lt %i, %ns : tile<128xbool>\n%j = add %i, %ns : tile<128xi32>\n%b = lt "
                   "%j, %ns : tile<128xbool>\n%m = and %b, %a : tile<128xbool>\n%x = load %at, %m "
                   ": tile<128xf32>\n"),
            "1 uniform: the mask changes from element to element");
  for (const char *compare : {"le %i, %ns", "ge %i, %ns", "lt %ns, %i", "ne %i, %ns"})
    EXPECT_EQ(textOf("%m = " + std::string(compare) +
                     " : tile<128xbool>\n%x = load %at, %m : tile<128xf32>\n"),
              "1 uniform: the mask changes from element to element")
        << compare;
}

TEST(Access, MaskMayHalveTheVector) {
  EXPECT_EQ(textOf("%k = constant 2 : i32\n%ks = splat %k : tile<128xi32>\n%j = div %i, %ks : "
                   "tile<128xi32>\n%odd = rem %j, %ks : tile<128xi32>\n%m = lt %odd, %ns : "
                   "tile<128xbool>\n%x = load %at, %m : tile<128xf32>\n"),
            "2 uniform: the mask changes every 2 elements");
}

TEST(Access, AtomicsAreSingle) {
  EXPECT_EQ(
      textOf("%v = load %at : tile<128xf32>\n%x = atomic %at, %v {update = add} : tile<128xf32>\n"),
      "1 element: atomics are done element by element");
}

TEST(Access, FastestDimension) {
  const std::string columns =
      "%r = expand_dims %i {axis = 1} : tile<128x1xi32>\n%rows = broadcast %r : tile<128x64xi32>\n"
      "%c = arange {end = 64, start = 0} : tile<64xi32>\n"
      "%ce = expand_dims %c {axis = 0} : tile<1x64xi32>\n%w = splat %n4 : tile<1x64xi32>\n"
      "%cw = mul %ce, %w : tile<1x64xi32>\n%cols = broadcast %cw : tile<128x64xi32>\n"
      "%o = add %rows, %cols : tile<128x64xi32>\n%pp = splat %p : tile<128x64xptr<f32>>\n"
      "%a2 = addptr %pp, %o : tile<128x64xptr<f32>>\n%x = load %a2 : tile<128x64xf32>\n";
  EXPECT_EQ(accessOf(columns).fastest, 0u);
  EXPECT_EQ(textOf(columns), "4 uniform");
  EXPECT_EQ(textOf(columns, 1), "1 uniform: neighbouring elements are not neighbours in memory");
  // Among equals the last.
  EXPECT_EQ(
      accessOf("%pp = splat %p : tile<8x8xptr<f32>>\n%x = load %pp : tile<8x8xf32>\n").fastest, 1u);
}

// A mask of rows and columns: along the columns the rows' part is uniform.
TEST(Access, PrefixOfATwoDimensionalMask) {
  const std::string body =
      "%r = expand_dims %i {axis = 1} : tile<128x1xi32>\n%nr = splat %n : tile<128x1xi32>\n"
      "%mr = lt %r, %nr : tile<128x1xbool>\n%mrs = broadcast %mr : tile<128x64xbool>\n"
      "%c = arange {end = 64, start = 0} : tile<64xi32>\n%nc = splat %n : tile<64xi32>\n"
      "%mc = lt %c, %nc : tile<64xbool>\n%me = expand_dims %mc {axis = 0} : tile<1x64xbool>\n"
      "%mcs = broadcast %me : tile<128x64xbool>\n%mask = and %mrs, %mcs : tile<128x64xbool>\n";
  ir::Module module;
  test::parseOrFail(
      test::kernelText("%n: i32", "%i = arange {end = 128, start = 0} : tile<128xi32>\n" + body),
      module);
  AxisAnalysis analysis(module.kernels.front(), {});
  ir::Value *mask = test::find(module, "mask");
  auto along = prefixMask(mask, 1, 4, analysis);
  ASSERT_TRUE(along);
  EXPECT_EQ(along->index, test::find(module, "c"));
  EXPECT_EQ(along->bound, test::find(module, "nc"));
  EXPECT_EQ(along->uniform.size(), 1u);
  // Along the rows it is the other way round.
  auto down = prefixMask(mask, 0, 4, analysis);
  ASSERT_TRUE(down);
  EXPECT_EQ(down->bound, test::find(module, "nr"));
}

}  // namespace
}  // namespace tile2cu::passes
