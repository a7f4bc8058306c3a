// Analyses that passes share: computed once, and dropped when the kernel changes.
#include "passes/analysis/analyses.h"

#include "passes/ir/builder.h"
#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

class AnalysesTest : public testing::Test {
 protected:
  AnalysesTest() {
    test::parseOrFail(test::kernelText("%p: ptr<const f32>, %n: i32 divisible 16",
                                       "  %k = constant 4 : i32\n  %x = mul %n, %k : i32\n"),
                      module_);
  }

  ir::Kernel &kernel() { return module_.kernels.front(); }
  ir::Value *x() { return test::find(module_, "x"); }
  // x = n * n instead of n * 4.
  void change() { x()->definition->setOperand(1, test::find(module_, "n")); }
  static int64_t divisibility(const AxisAnalysis &axes, const ir::Value *value) {
    return axes.of(value).divisibility[0];
  }

  ir::Module module_;
  Analyses analyses_;
};

TEST_F(AnalysesTest, AreComputedOnce) {
  const auto first = analyses_.axes(kernel(), {});
  EXPECT_EQ(analyses_.axes(kernel(), {}), first);
  const auto assumed = analyses_.axes(kernel(), Assumptions{{{1, 32}}, {}});
  EXPECT_NE(assumed, first);
  EXPECT_EQ(divisibility(*first, x()), 64);
  EXPECT_EQ(divisibility(*assumed, x()), 128);
}

TEST_F(AnalysesTest, AreDroppedWhenTheKernelChanges) {
  const auto before = analyses_.axes(kernel(), {});
  change();
  analyses_.invalidate(kernel());
  const auto after = analyses_.axes(kernel(), {});
  EXPECT_EQ(divisibility(*after, x()), 256);
  EXPECT_EQ(divisibility(*before, x()), 64);  // whoever holds it has what it asked for
}

TEST_F(AnalysesTest, OfOtherKernelsStay) {
  ir::Module other;
  test::parseOrFail(test::kernelText("%p: ptr<f32>", ""), other);
  const auto first = analyses_.axes(kernel(), {});
  const auto second = analyses_.axes(other.kernels.front(), {});
  analyses_.invalidate(other.kernels.front());
  EXPECT_EQ(analyses_.axes(kernel(), {}), first);
  EXPECT_NE(analyses_.axes(other.kernels.front(), {}), second);
}

TEST_F(AnalysesTest, LiveAsLongAsPassesKeepThem) {
  const auto first = analyses_.axes(kernel(), {});
  analyses_.endPass(Keeps::Axes);
  EXPECT_EQ(analyses_.axes(kernel(), {}), first);
  analyses_.endPass(Keeps::Nothing);
  EXPECT_NE(analyses_.axes(kernel(), {}), first);
}

TEST_F(AnalysesTest, StaleOnesAreFound) {
  analyses_.axes(kernel(), {});
  EXPECT_EQ(analyses_.findStale(module_), "");
  change();
  analyses_.endPass(Keeps::Axes);  // which is wrong
  EXPECT_EQ(analyses_.findStale(module_), "the axes of @k");
  analyses_.endPass(Keeps::Nothing);
  EXPECT_EQ(analyses_.findStale(module_), "");
}

TEST_F(AnalysesTest, AValueThatIsNewMakesThemStale) {
  analyses_.axes(kernel(), {});
  ir::Builder::after(x()->definition).binary(ir::OpKind::Add, x(), x());
  EXPECT_EQ(analyses_.findStale(module_), "the axes of @k");
}

using AnalysesDeathTest = AnalysesTest;

TEST_F(AnalysesDeathTest, AskingForAStaleOneEndsTheProcess) {
  analyses_.setVerify(true);
  analyses_.axes(kernel(), {});
  change();
  EXPECT_DEATH(analyses_.axes(kernel(), {}), "a pass has changed @k without invalidating");
}

}  // namespace
}  // namespace tile2cu::passes
