// view_layout: a view moves no data, so each register of each thread stays the same element.
#include "passes/analysis/layout/layout_inference.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

using ir::Layout;
using ir::LayoutRef;

LayoutRef blocked(llvm::ArrayRef<int64_t> shape, int warps, int64_t vector, bool columns) {
  ir::BlockedSpec spec;
  spec.shape.assign(shape.begin(), shape.end());
  spec.numWarps = warps;
  spec.vector = vector;
  for (unsigned d = 0; d < shape.size(); ++d)
    spec.order.push_back(columns ? d : shape.size() - 1 - d);
  return blockedLayout(spec);
}

// The row-major number of an element.
int64_t number(const Layout &layout, llvm::ArrayRef<int64_t> registers, int64_t lane,
               int64_t warp) {
  int64_t result = 0;
  for (unsigned d = 0; d < layout.rank(); ++d)
    result = result * layout.dim(d).size + layout.coordinate(d, registers, lane, warp);
  return result;
}

void expectSameElements(const Layout &a, const Layout &b) {
  ASSERT_EQ(a.registerAxes(), b.registerAxes());
  llvm::SmallVector<int64_t, 4> registers(a.registerAxes().size());
  unsigned wrong = 0;
  for (int64_t r = 0; r < a.elementsPerThread(); ++r) {
    int64_t rest = r;
    for (size_t axis = 0; axis < registers.size(); ++axis) {
      registers[axis] = rest % a.registerAxes()[axis];
      rest /= a.registerAxes()[axis];
    }
    for (int64_t warp = 0; warp < a.numWarps(); ++warp)
      for (int64_t lane = 0; lane < 32; ++lane)
        wrong += number(a, registers, lane, warp) != number(b, registers, lane, warp);
  }
  EXPECT_EQ(wrong, 0u) << a.str() << " and " << b.str();
}

TEST(ViewLayout, ReshapedKeepsElements) {
  const std::vector<std::vector<int64_t>> shapes = {{4096},      {64, 64},     {16, 256}, {2, 2048},
                                                    {8, 16, 32}, {4096, 1},    {96, 32},  {3072},
                                                    {3, 32, 32}, {4, 4, 4, 64}};
  unsigned kept = 0, cut = 0;
  for (const auto &from : shapes)
    for (const auto &to : shapes) {
      int64_t sizes[2] = {1, 1};
      for (int64_t size : from) sizes[0] *= size;
      for (int64_t size : to) sizes[1] *= size;
      if (sizes[0] != sizes[1]) continue;
      for (int warps : {1, 3, 4, 8})
        for (int64_t vector : {1, 4})
          for (bool columns : {false, true}) {
            LayoutRef source = blocked(from, warps, vector, columns);
            if (source->isPadded()) continue;
            LayoutRef result = reshapedLayout(*source, ir::Shape(to.begin(), to.end()));
            if (!result) {
              ++cut;
              continue;
            }
            ++kept;
            for (unsigned d = 0; d < to.size(); ++d) EXPECT_EQ(result->dim(d).size, to[d]);
            expectSameElements(*source, *result);
          }
    }
  EXPECT_GT(kept, 200u);
  EXPECT_GT(cut, 20u);
}

TEST(ViewLayout, ReshapeThatCutsARegisterAxisOrPadding) {
  // 32 columns of vectors of 4: the vector would be cut in two.
  EXPECT_EQ(reshapedLayout(*blocked({1024}, 1, 4, false), {512, 2}), nullptr);
  EXPECT_NE(reshapedLayout(*blocked({1024}, 1, 4, false), {256, 4}), nullptr);
  // Lanes may be split.
  LayoutRef split = reshapedLayout(*blocked({1024}, 1, 4, false), {64, 16});
  ASSERT_NE(split, nullptr);
  EXPECT_EQ(split->str(), "#<1 warps, [8, 4], 64 = lane/4*8 r0*8, 16 = r1*4 lane*4>");
  // Elements of padding have no number.
  EXPECT_EQ(reshapedLayout(*blocked({1000}, 4, 1, false), {10, 100}), nullptr);
}

// A kernel with `%s`, a tile with the layout, and the view `%x` of it.
struct View {
  ir::Module module;
  View(const std::string &type, const std::string &view) {
    test::parseOrFail(
        "kernel @k(%n: i32) warps 4 {\n%s = splat %n : " + type + "\n%x = " + view + "\n}\n",
        module);
  }
  const ir::Op *op() { return test::find(module, "x")->definition; }
};

const char *const kRows =
    "#<4 warps, [4, 4], 16 = lane/16*2 r0*4 warp/2*2, 128 = r1*4 lane*16 warp*2>";

// The broadcast of a dimension of 1 to 8 elements.
LayoutRef copied(const std::string &from, const std::string &to, const Layout &source) {
  View view("tile<" + from + "xi32>", "broadcast %s : tile<" + to + "xi32>");
  return copiedLayout(view.op(), source);
}

TEST(ViewLayout, CopiesOfABroadcastInTheirThread) {
  const LayoutRef words = blocked({16, 64}, 4, 4, false);
  EXPECT_EQ(words->str(),
            "#<4 warps, [2, 1, 4], 16 = lane/16*2 warp*4 r0*2, 64 = r2*4 lane*16 r1*1>");
  // Before the vector axis, unless they are the last dimension.
  EXPECT_EQ(
      copied("16x1x64", "16x8x64", *words->withUnitDim(1))->str(),
      "#<4 warps, [2, 1, 8, 4], 16 = lane/16*2 warp*4 r0*2, 8 = r2*8, 64 = r3*4 lane*16 r1*1>");
  EXPECT_EQ(
      copied("16x64x1", "16x64x8", *words->withUnitDim(2))->str(),
      "#<4 warps, [2, 1, 4, 8], 16 = lane/16*2 warp*4 r0*2, 64 = r2*4 lane*16 r1*1, 8 = r3*8>");
  // Their reshape is one of whole digits.
  const LayoutRef parts = copied("16x1x64", "16x8x64", *words->withUnitDim(1));
  const LayoutRef lined = reshapedLayout(*parts, {128, 64});
  ASSERT_NE(lined, nullptr);
  expectSameElements(*parts, *lined);
  // Two dimensions that grow.
  EXPECT_EQ(copied("1x1x64", "16x8x64", *blocked({1, 1, 64}, 4, 1, false)), nullptr);
}

TEST(ViewLayout, ResultAndSourceAreInverse) {
  LayoutRef rows = blocked({16, 128}, 4, 4, false);
  const std::string tile = "tile<16x128xi32>";
  View permute(tile, "permute %s {order = [1, 0]} : tile<128x16xi32>");
  LayoutRef turned = resultLayout(permute.op(), *rows);
  EXPECT_EQ(turned->dim(0).digits, rows->dim(1).digits);
  EXPECT_TRUE(*sourceLayout(permute.op(), *turned) == *rows);

  View expand(tile, "expand_dims %s {axis = 1} : tile<16x1x128xi32>");
  LayoutRef expanded = resultLayout(expand.op(), *rows);
  EXPECT_EQ(expanded->rank(), 3u);
  EXPECT_TRUE(expanded->dim(1).digits.empty());
  EXPECT_TRUE(sameLayout(*sourceLayout(expand.op(), *expanded), *rows));

  // A permutation of three dimensions is not its own inverse.
  LayoutRef box = blocked({4, 8, 64}, 4, 2, false);
  View rotate("tile<4x8x64xi32>", "permute %s {order = [2, 0, 1]} : tile<64x4x8xi32>");
  LayoutRef rotated = resultLayout(rotate.op(), *box);
  EXPECT_EQ(rotated->dim(0).size, 64);
  EXPECT_EQ(rotated->dim(1).size, 4);
  EXPECT_TRUE(*sourceLayout(rotate.op(), *rotated) == *box);

  View broadcast("tile<1x128xi32>", "broadcast %s : tile<16x128xi32>");
  LayoutRef line = sourceLayout(broadcast.op(), *rows);
  EXPECT_TRUE(line->dim(0).digits.empty());
  EXPECT_TRUE(sameDigits(line->dim(1), *line, rows->dim(1), *rows));
}

TEST(ViewLayout, FreeViews) {
  const std::string line = "tile<1x128xi32, #<4 warps, [4], 1 =, 128 = r0*4 lane*16 warp*2>>";
  const std::string other = "tile<1x128xi32, #<4 warps, [1], 1 =, 128 = r0*1 lane*32 warp*4>>";
  const std::string wide = "broadcast %s : tile<16x128xi32, " + std::string(kRows) + ">";
  EXPECT_TRUE(isFreeView(View(line, wide).op()));
  EXPECT_FALSE(isFreeView(View(other, wide).op()));
  const std::string rows = "tile<16x128xi32, " + std::string(kRows) + ">";
  EXPECT_TRUE(isFreeView(
      View(rows,
           "permute %s {order = [1, 0]} : tile<128x16xi32, #<4 warps, [4, 4], 128 = r1*4 "
           "lane*16 warp*2, 16 = lane/16*2 r0*4 warp/2*2>>")
          .op()));
  EXPECT_FALSE(isFreeView(
      View(rows,
           "permute %s {order = [1, 0]} : tile<128x16xi32, #<4 warps, [4, 4], 128 = r1*4 "
           "lane*32, 16 = r0*4 warp*4>>")
          .op()));
}

TEST(ViewLayout, AxisMap) {
  const std::string line = "tile<1x128xi32, #<4 warps, [4], 1 =, 128 = r0*4 lane*16 warp*2>>";
  View broadcast(line, "broadcast %s : tile<16x128xi32, " + std::string(kRows) + ">");
  auto map = [](View &view) {
    const ir::Op *op = view.op();
    return axisMap(op, *op->operand(0)->type.layout(), *op->result()->type.layout());
  };
  EXPECT_EQ(map(broadcast), (llvm::SmallVector<int, 4>{1}));
  View permute("tile<16x128xi32, " + std::string(kRows) + ">",
               "permute %s {order = [1, 0]} : tile<128x16xi32, #<4 warps, [4, 4], 128 = r0*4 "
               "lane*16 warp*2, 16 = lane/16*2 r1*4 warp/2*2>>");
  EXPECT_EQ(map(permute), (llvm::SmallVector<int, 4>{1, 0}));
  View reshape("tile<512xi32, #<4 warps, [2, 2], 512 = r1*2 lane*32 warp*4 r0*2>>",
               "reshape %s : tile<2x256xi32, #<4 warps, [2, 2], 2 = r0*2, 256 = r1*2 lane*32 "
               "warp*4>>");
  EXPECT_EQ(map(reshape), (llvm::SmallVector<int, 4>{0, 1}));
}

TEST(ViewLayout, SameArraysSeesTheOrderOfRegisters) {
  View a("tile<512xi32, #<4 warps, [2, 2], 512 = r1*2 lane*32 warp*4 r0*2>>",
         "neg %s : tile<512xi32, #<4 warps, [2, 2], 512 = r1*2 lane*32 warp*4 r0*2>>");
  const Layout &layout = *a.op()->result()->type.layout();
  EXPECT_TRUE(sameArrays(layout, layout));
  Layout extra(4, {2, 2, 1}, layout.dims());
  EXPECT_TRUE(sameLayout(layout, extra));
  EXPECT_FALSE(sameArrays(layout, extra));
}

}  // namespace
}  // namespace tile2cu::passes
