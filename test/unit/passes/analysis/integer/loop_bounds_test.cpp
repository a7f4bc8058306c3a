// Which conditions on coordinates the steps of a loop keep by themselves.
#include "passes/analysis/integer/loop_bounds.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

using test::find;

// Whether k + d0 - `bound` is negative for all elements of a tile of `size`, in `for %k = %first to %end step %step`; `more` comes
// before the loop and may use %n, %m, %d (64 times a number) and %first.
bool holds(int64_t size, const std::string &bound, const std::string &end, int step,
           const std::string &more = "", const std::string &compare = "lt") {
  ir::Module module;
  test::parseOrFail(test::kernelText("%n: i64, %m: i64, %first: i64",
                                     "%c64 = constant 64 : i64\n%d = mul %m, %c64 : i64\n"
                                     "%last = add %first, %d : i64\n" +
                                         more + "%step = constant " + std::to_string(step) +
                                         " : i64\nfor %k = %first to %" + end +
                                         " step %step {compare = " + compare + "} {\n  yield\n}\n"),
                    module);
  Symbols symbols;
  const Polynomial k = *symbols.of(find(module, "k")), of = *symbols.of(find(module, bound));
  return holdsInLoop(k + Polynomial(Atom{nullptr, 0}) - of, {size}, symbols);
}

const std::string kEnd = "%end = minimum %last, %n : i64\n";

TEST(LoopBounds, WholeStepsStayBelowTheirBound) {
  EXPECT_TRUE(holds(64, "last", "last", 64));
  EXPECT_TRUE(holds(64, "last", "end", 64, kEnd));
  EXPECT_TRUE(holds(32, "last", "end", 32, kEnd));
  EXPECT_TRUE(holds(16, "last", "end", 32, kEnd));
  EXPECT_TRUE(holds(64, "last", "end", 64, "%end = minimum %n, %last : i64\n"));
}

TEST(LoopBounds, ClampedBounds) {
  const std::string zero = "%zero = constant 0 : i64\n";
  const std::string clamped = zero + "%end = clamp %n, %zero, %last : i64\n";
  EXPECT_TRUE(holds(64, "last", "end", 64, clamped));
  EXPECT_FALSE(holds(65, "last", "end", 64, clamped));
  EXPECT_FALSE(holds(1, "n", "end", 64, clamped));  // n may be negative
  EXPECT_FALSE(holds(64, "last", "end", 64, zero + "%end = clamp %n, %last, %m : i64\n"));
  EXPECT_FALSE(holds(64, "last", "end", 64, zero + "%end = clamp %last, %zero, %n : i64\n"));
}

TEST(LoopBounds, TilesLongerThanAStep) {
  EXPECT_FALSE(holds(128, "last", "end", 64, kEnd));
  EXPECT_FALSE(holds(65, "last", "last", 64));
  EXPECT_FALSE(holds(64, "last", "last", 32));
}

TEST(LoopBounds, StepsThatDoNotEndAtTheBound) {
  EXPECT_FALSE(holds(48, "last", "last", 48));
  EXPECT_TRUE(holds(1, "last", "last", 48));  // k < last
  EXPECT_FALSE(holds(2, "last", "last", 48));
  // 8 more than whole steps
  const std::string more = "%c8 = constant 8 : i64\n%later = add %last, %c8 : i64\n";
  EXPECT_FALSE(holds(64, "later", "later", 64, more));
  EXPECT_TRUE(holds(8, "later", "last", 64, more));
  EXPECT_TRUE(holds(64, "later", "last", 64, more));
  EXPECT_FALSE(holds(73, "later", "last", 64, more));
}

TEST(LoopBounds, OtherBoundsAndLoops) {
  EXPECT_FALSE(holds(64, "n", "last", 64));
  EXPECT_FALSE(holds(1, "n", "last", 64));
  EXPECT_TRUE(holds(1, "n", "end", 64, kEnd));  // k < n too
  EXPECT_FALSE(holds(64, "n", "end", 64, kEnd));
  EXPECT_FALSE(holds(64, "last", "end", 64, "%end = maximum %last, %n : i64\n"));
  EXPECT_FALSE(holds(64, "last", "last", 64, "", "le"));
  EXPECT_FALSE(holds(64, "last", "last", -64, "", "gt"));
}

}  // namespace
}  // namespace tile2cu::passes
