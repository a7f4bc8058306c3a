// Which tiles of pointers are boxes of arrays, and of which.
#include "passes/analysis/memory/strided_box.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

using test::find;

// %k is a number that the launcher does not know; %pm a program. %rows and %columns are their coordinates as 32 x 16 tiles.
const char *const kHead =
    "%blocks = cast %M : i64\n"
    "%pm = grid %blocks : i64\n"
    "%k = load %q : i64\n"
    "%tall = constant 32 : i64\n"
    "%first = mul %pm, %tall : i64\n"
    "%r = arange {end = 32, start = 0} : tile<32xi64>\n"
    "%c = arange {end = 16, start = 0} : tile<16xi64>\n"
    "%r.1 = expand_dims %r {axis = 1} : tile<32x1xi64>\n"
    "%c.1 = expand_dims %c {axis = 0} : tile<1x16xi64>\n"
    "%rows = broadcast %r.1 : tile<32x16xi64>\n"
    "%columns = broadcast %c.1 : tile<32x16xi64>\n"
    "%Ms = splat %M : tile<32x16xi64>\n"
    "%Ks = splat %K : tile<32x16xi64>\n"
    "%firsts = splat %first : tile<32x16xi64>\n"
    "%ks = splat %k : tile<32x16xi64>\n"
    "%i = add %firsts, %rows : tile<32x16xi64>\n"
    "%j = add %ks, %columns : tile<32x16xi64>\n"
    "%strides = splat %stride : tile<32x16xi64>\n"
    "%ps = splat %p : tile<32x16xptr<const f16>>\n"
    "%down = lt %i, %Ms : tile<32x16xbool>\n"
    "%right = lt %j, %Ks : tile<32x16xbool>\n"
    "%both = and %down, %right : tile<32x16xbool>\n"
    "%starts = mul %i, %strides : tile<32x16xi64>\n"
    "%o = add %starts, %j : tile<32x16xi64>\n"
    "%at = addptr %ps, %o : tile<32x16xptr<const f16>>\n";

struct Case {
  ir::Module module;
  Symbols symbols;
  std::string why;
  std::optional<Box> box;
  explicit Case(const std::string &body, llvm::StringRef pointers = "at",
                llvm::StringRef mask = "both") {
    test::parseOrFail(
        test::kernelText("%p: ptr<const f16>, %q: ptr<const i64>, %M: i64, %K: i64, %stride: i64",
                         kHead + body),
        module);
    box = boxOf(module.kernels.front(), find(module, pointers),
                mask.empty() ? nullptr : find(module, mask), symbols, why);
  }
  Polynomial sum(llvm::StringRef name) { return Polynomial(Atom{find(module, name)}); }
};

TEST(Box, BoundsOfBothDimensions) {
  Case c("");
  ASSERT_TRUE(c.box) << c.why;
  EXPECT_EQ(c.box->pointer, find(c.module, "p"));
  EXPECT_TRUE(c.box->offset.isZero());
  ASSERT_EQ(c.box->dims.size(), 2u);
  const BoxDim &columns = c.box->dims[0], &rows = c.box->dims[1];
  EXPECT_EQ(columns.start, c.sum("k"));
  EXPECT_EQ(columns.stride, Polynomial(1));
  EXPECT_EQ(columns.extent, c.sum("K"));
  EXPECT_EQ(columns.size, 16);
  EXPECT_EQ(columns.tileDim, 1);
  EXPECT_EQ(rows.start, Polynomial(32) * c.sum("pm"));
  EXPECT_EQ(rows.stride, c.sum("stride"));
  EXPECT_EQ(rows.extent, c.sum("M"));
  EXPECT_EQ(rows.size, 32);
}

TEST(Box, NoBounds) {
  Case c("", "at", "");
  ASSERT_TRUE(c.box) << c.why;
  for (const BoxDim &dim : c.box->dims) EXPECT_FALSE(dim.extent);
}

// An offset that depends on the program is a dimension of its own; one that depends on arguments is part of the array's start.
TEST(Box, Batch) {
  Case c(
      "%size = mul %M, %stride : i64\n"
      "%batch = mul %k, %size : i64\n"
      "%more = add %batch, %K : i64\n"
      "%b = splat %more : tile<32x16xi64>\n"
      "%in = addptr %at, %b : tile<32x16xptr<const f16>>\n",
      "in");
  ASSERT_TRUE(c.box) << c.why;
  EXPECT_EQ(c.box->offset, c.sum("K"));
  ASSERT_EQ(c.box->dims.size(), 3u);
  EXPECT_EQ(c.box->dims[2].stride, c.sum("M") * c.sum("stride"));
  EXPECT_EQ(c.box->dims[2].start, c.sum("k"));
  EXPECT_EQ(c.box->dims[2].size, 1);
}

// Whether the program's batch exists is the bound of its dimension; a shifted one begins with the array.
TEST(Box, BoundOfBatch) {
  const std::string at =
      "%batch = sub %k, %K : i64\n"
      "%size = mul %M, %stride : i64\n"
      "%before = mul %batch, %size : i64\n"
      "%b = splat %before : tile<32x16xi64>\n"
      "%in = addptr %at, %b : tile<32x16xptr<const f16>>\n"
      "%zero = constant 0 : i64\n";
  auto mask = [](const std::string &exists) {
    return exists + "%es = splat %e : tile<32x16xbool>\n%m = and %es, %both : tile<32x16xbool>\n";
  };
  Case c(
      at +
          mask("%u = ge %batch, %zero : bool\n%v = lt %batch, %M : bool\n%e = and %u, %v : bool\n"),
      "in", "m");
  ASSERT_TRUE(c.box) << c.why;
  EXPECT_TRUE(c.box->offset.isZero());
  ASSERT_EQ(c.box->dims.size(), 3u);
  EXPECT_EQ(c.box->dims[2].start, c.sum("k") - c.sum("K"));
  EXPECT_EQ(c.box->dims[2].extent, c.sum("M"));
  EXPECT_TRUE(c.box->dims[2].isBoundedBelow);
  for (const char *other : {"%e = lt %pm, %M : bool\n", "%e = ge %batch, %zero : bool\n",
                            "%e = lt %zero, %M : bool\n"}) {
    Case d(at + mask(other), "in", "m");
    EXPECT_FALSE(d.box);
    EXPECT_EQ(d.why, "a condition of its mask is not the bound of a dimension");
  }
}

// A mask that begins elsewhere than the tile: the rest of the address is a dimension, not a start of the bounded one.
TEST(Box, MaskOfOtherPlace) {
  Case c("%near = lt %columns, %Ks : tile<32x16xbool>\n", "at", "near");
  ASSERT_TRUE(c.box) << c.why;
  EXPECT_TRUE(c.box->dims[0].start.isZero());
  EXPECT_EQ(c.box->dims.size(), 3u);
}

// columns < maximum(K, 0) is columns < K, as columns are not negative.
TEST(Box, BoundsOfBounds) {
  auto mask = [](const std::string &bound) {
    return "%zero = constant 0 : i64\n%one = constant 1 : i64\n%e = " + bound +
           " : i64\n%es = splat %e : tile<32x16xi64>\n"
           "%m = lt %columns, %es : tile<32x16xbool>\n";
  };
  for (const char *bound : {"maximum %K, %zero", "maximum %zero, %K"}) {
    Case c(mask(bound), "at", "m");
    ASSERT_TRUE(c.box) << c.why;
    EXPECT_EQ(c.box->dims[0].extent, c.sum("K")) << bound;
  }
  for (const char *bound :
       {"maximum %K, %one", "maximum %K, %M", "clamp %K, %one, %K", "clamp %zero, %K, %M"}) {
    Case c(mask(bound), "at", "m");
    EXPECT_TRUE(!c.box || c.box->dims[0].extent != c.sum("K")) << bound;
  }
  // Two bounds, none of which a loop keeps.
  for (const char *bound : {"minimum %K, %M", "clamp %K, %zero, %M"})
    EXPECT_FALSE(Case(mask(bound), "at", "m").box) << bound;
}

TEST(Box, NoBox) {
  auto why = [](const std::string &body, llvm::StringRef pointers, llvm::StringRef mask) {
    Case c(body, pointers, mask);
    EXPECT_FALSE(c.box);
    return c.why;
  };
  const char *const kBounds = "its mask is not one bound for each dimension";
  EXPECT_EQ(why("%x = ne %i, %Ms : tile<32x16xbool>\n", "at", "x"),
            "its mask is not made of bounds alone");
  EXPECT_EQ(why("%x = or %down, %right : tile<32x16xbool>\n", "at", "x"),
            "its mask is not made of bounds alone");
  EXPECT_EQ(
      why("%d = add %i, %j : tile<32x16xi64>\n%x = lt %d, %Ks : tile<32x16xbool>\n", "at", "x"),
      kBounds);
  EXPECT_EQ(
      why("%l = lt %i, %Ks : tile<32x16xbool>\n%x = and %l, %both : tile<32x16xbool>\n", "at", "x"),
      kBounds);
  EXPECT_EQ(why("%x = lt %Ks, %i : tile<32x16xbool>\n", "at", "x"), kBounds);
  EXPECT_EQ(why("%s = add %starts, %starts : tile<32x16xi64>\n%x = addptr %ps, %s : "
                "tile<32x16xptr<const f16>>\n",
                "x", "both"),
            "one of its strides is not known to the launcher");
  EXPECT_EQ(why("%s = mul %i, %ks : tile<32x16xi64>\n%t = add %s, %j : tile<32x16xi64>\n%x = "
                "addptr %ps, %t : tile<32x16xptr<const f16>>\n",
                "x", "both"),
            "one of its strides is not known to the launcher");
  EXPECT_EQ(
      why("%s = add %o, %j : tile<32x16xi64>\n%x = addptr %ps, %s : tile<32x16xptr<const f16>>\n",
          "x", "both"),
      "its elements are not contiguous in memory");
  EXPECT_EQ(
      why("%s = add %i, %j : tile<32x16xi64>\n%x = addptr %ps, %s : tile<32x16xptr<const f16>>\n",
          "x", "both"),
      "two dimensions have stride 1");
  EXPECT_EQ(
      why("%s = mul %i, %j : tile<32x16xi64>\n%x = addptr %ps, %s : tile<32x16xptr<const f16>>\n",
          "x", "both"),
      "its addresses are not a sum of coordinates times strides");
}

}  // namespace
}  // namespace tile2cu::passes
