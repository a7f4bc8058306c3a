// Which values share a variable, and cases in which sharing would be wrong.
#include "passes/analysis/value/tile_storage.h"

#include "passes/analysis/value/nest_steps.h"
#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {
using namespace ir;

// #t: vectors of four elements, two of a thread. #u: of one element. #p: partial sums of rows, #s:
// their sums. #e: a small matrix.
const std::string kTypes =
    "level thread after choose_residency\n"
    "#t = #<4 warps, [2, 4], 1024 = r1*4 lane*32 warp*4 r0*2>\n"
    "#u = #<4 warps, [1, 1], 128 = r1*1 lane*32 warp*4 r0*1>\n"
    "#p = #<1 warps, [2, 1], 2 = r0*2, 32 = r1*1 lane*32>\n"
    "#s = #<1 warps, [2], 2 = r0*2>\n"
    "#e = #<1 warps, [2], 8 = lane*8, 8 = r0*2 lane/8*4>\n";

std::string nest(const std::string &result, const std::string &body, const std::string &yields) {
  return "  %" + result + " = nest on #t : tile<1024xf32, #t> {\n" + body + "    yield %" + yields +
         "\n  }\n";
}
std::string zeros(const std::string &name) {
  return nest(name, "    %" + name + "_0 = splat %zero : tile<1024xf32, #t>\n", name + "_0");
}
// `result` = `a` + `b` in a loop nest.
std::string added(const std::string &result, const std::string &a, const std::string &b) {
  return nest(result, "    %" + result + "_0 = add %" + a + ", %" + b + " : tile<1024xf32, #t>\n",
              result + "_0");
}
std::string stored(const std::string &value) {
  return "  nest on #t {\n"
         "    %to_" +
         value +
         " = splat %out : tile<1024xptr<f32>, #t>\n"
         "    store %to_" +
         value + ", %" + value +
         "\n"
         "    yield\n"
         "  }\n";
}
std::string loop(const std::string &body, const std::string &next) {
  return "  %sums = for %k = %first to %n step %step, %acc = %start {compare = lt} : "
         "tile<1024xf32, #t> {\n" +
         body + "    yield %" + next + "\n  }\n";
}

class TileStorageTest : public testing::Test {
 protected:
  void parse(const std::string &body) {
    const std::string text = kTypes +
                             "kernel @k(%out: ptr<f32> restrict, %n: i32, %c: bool) warps 4 {\n"
                             "  shared @x: f16 [8, 4]\n"
                             "  shared @y: f16 [4, 8]\n"
                             "  %zero = constant 0.0 : f32\n"
                             "  %first = constant 0 : i32\n"
                             "  %step = constant 1 : i32\n" +
                             body + "}\n";
    test::parseOrFail(text, module_);
    storage_.emplace(module_.kernels.front(), units_);
  }
  // The name of the value that this one is written over; "" if it has its own variable.
  std::string sharedWith(llvm::StringRef name) {
    const Value *with = storage_->sharedWith(test::find(module_, name));
    return with ? with->name : "";
  }
  bool isAssignedLast(llvm::StringRef name) {
    return storage_->isAssignedLast(test::find(module_, name));
  }

  Module module_;
  UnitAxes units_;
  std::optional<TileStorage> storage_;
};

// ---- what a loop carries

TEST_F(TileStorageTest, ALoopAddsInPlace) {
  parse(zeros("start") + loop(added("next", "acc", "acc"), "next") + stored("sums"));
  EXPECT_EQ(sharedWith("acc"), "start");
  EXPECT_EQ(sharedWith("next"), "acc");
  EXPECT_EQ(sharedWith("sums"), "acc");
  EXPECT_EQ(sharedWith("start"), "");
}

TEST_F(TileStorageTest, AFirstValueThatIsReadAgainIsCopied) {
  parse(zeros("start") + loop(added("next", "acc", "acc"), "next") + stored("start"));
  EXPECT_EQ(sharedWith("acc"), "");
  EXPECT_EQ(sharedWith("next"), "acc");
}

TEST_F(TileStorageTest, AFirstValueOfEachStepOfAnOuterLoopIsCopied) {
  parse(zeros("start") + "  for %i = %first to %n step %step {compare = lt} {\n" +
        loop(added("next", "acc", "acc"), "next") + stored("sums") + "    yield\n  }\n");
  EXPECT_EQ(sharedWith("acc"), "");
}

TEST_F(TileStorageTest, AnOldValueThatIsReadLaterStays) {
  parse(zeros("start") + loop(added("next", "acc", "acc") + stored("acc"), "next") +
        stored("sums"));
  EXPECT_EQ(sharedWith("next"), "");
}

TEST_F(TileStorageTest, AnOldValueThatABreakHandsOnStays) {
  const std::string leave =
      "    if %c {\n"
      "      break %acc\n"
      "    } else {\n"
      "      yield\n"
      "    }\n";
  parse(zeros("start") + loop(added("next", "acc", "acc") + leave, "next") + stored("sums"));
  EXPECT_EQ(sharedWith("next"), "");
}

TEST_F(TileStorageTest, ABreakAheadOfTheChangeDoesNotMatter) {
  const std::string leave =
      "    if %c {\n"
      "      break %acc\n"
      "    } else {\n"
      "      yield\n"
      "    }\n";
  parse(zeros("start") + loop(leave + added("next", "acc", "acc"), "next") + stored("sums"));
  EXPECT_EQ(sharedWith("next"), "acc");
}

// The loop's next value is a value of the step before: %b must be read before it changes.
TEST_F(TileStorageTest, ValuesThatMoveOnAreNotShared) {
  parse(zeros("start") + zeros("other") +
        "  %sums, %last = for %k = %first to %n step %step, %acc = %start, %b = %other "
        "{compare = lt} : tile<1024xf32, #t>, tile<1024xf32, #t> {\n" +
        added("next", "acc", "b") + "    yield %next, %acc\n  }\n" + stored("sums") +
        stored("last"));
  EXPECT_EQ(sharedWith("next"), "");
}

// Each of the two new values is computed from both old ones.
TEST_F(TileStorageTest, ValuesThatReadEachOtherAreAssignedLast) {
  parse(zeros("start") + zeros("other") +
        "  %sums, %last = for %k = %first to %n step %step, %acc = %start, %b = %other "
        "{compare = lt} : tile<1024xf32, #t>, tile<1024xf32, #t> {\n"
        "    %next, %more = nest on #t : tile<1024xf32, #t>, tile<1024xf32, #t> {\n"
        "      %0 = add %acc, %b : tile<1024xf32, #t>\n"
        "      %1 = mul %acc, %b : tile<1024xf32, #t>\n"
        "      yield %0, %1\n"
        "    }\n"
        "    yield %next, %more\n  }\n" +
        stored("sums") + stored("last"));
  EXPECT_EQ(sharedWith("next"), "acc");
  EXPECT_EQ(sharedWith("more"), "b");
  EXPECT_TRUE(isAssignedLast("next"));
  EXPECT_TRUE(isAssignedLast("more"));
}

TEST_F(TileStorageTest, AValueThatOnlyItsOwnOperationReadsChangesAtOnce) {
  parse(zeros("start") + zeros("other") + loop(added("next", "acc", "other"), "next") +
        stored("sums"));
  EXPECT_EQ(sharedWith("next"), "acc");
  EXPECT_FALSE(isAssignedLast("next"));
}

// The store of whole vectors comes between the two runs of elements, of which the second reads
// %acc again, after the first has computed %next.
TEST_F(TileStorageTest, TwoRunsOfElementsKeepTheOldValue) {
  const std::string body =
      "    %to = splat %out : tile<1024xptr<f32>, #t>\n"
      "    %v = load %to {form = uniform, vector = 4} : tile<1024xf32, #t>\n"
      "    %0 = add %acc, %v : tile<1024xf32, #t>\n"
      "    store %to, %0 {form = uniform, vector = 4}\n"
      "    %v2 = load %to {form = uniform, vector = 4} : tile<1024xf32, #t>\n"
      "    %1 = add %acc, %v2 : tile<1024xf32, #t>\n";
  parse(zeros("start") + loop(nest("next", body, "1"), "next") + stored("sums"));
  const NestSteps steps(module_.kernels.front(), test::find(module_, "next")->definition,
                        vectorAxis(*test::find(module_, "next")->definition->layout));
  EXPECT_EQ(steps.numRuns(), 2U);
  EXPECT_EQ(sharedWith("next"), "");
}

// ---- branches

std::string branch(const std::string &first, const std::string &a, const std::string &b) {
  return "  %chosen = if %c : tile<1024xf32, #t> {\n" + first + "    yield %" + a +
         "\n  } else {\n    yield %" + b + "\n  }\n";
}

TEST_F(TileStorageTest, ABranchChangesATileInPlace) {
  parse(zeros("start") + branch(added("more", "start", "start"), "more", "start") +
        stored("chosen"));
  EXPECT_EQ(sharedWith("chosen"), "start");
  EXPECT_EQ(sharedWith("more"), "start");
}

TEST_F(TileStorageTest, ATileThatIsReadAfterTheBranchStays) {
  parse(zeros("start") + branch(added("more", "start", "start"), "more", "start") +
        stored("chosen") + stored("start"));
  EXPECT_EQ(sharedWith("chosen"), "");
  EXPECT_EQ(sharedWith("more"), "chosen");
}

TEST_F(TileStorageTest, OneTileIsHandedOnByOneResult) {
  parse(zeros("start") + "  %one, %two = if %c : tile<1024xf32, #t>, tile<1024xf32, #t> {\n" +
        added("more", "start", "start") + added("less", "start", "start") +
        "    yield %more, %less\n  } else {\n    yield %start, %start\n  }\n" + stored("one") +
        stored("two"));
  EXPECT_EQ(sharedWith("one"), "start");
  EXPECT_EQ(sharedWith("two"), "");
  EXPECT_EQ(sharedWith("more"), "");  // %less reads %start after it
  EXPECT_EQ(sharedWith("less"), "two");
}

// ---- while

TEST_F(TileStorageTest, AWhileReadsWhatItsHeadHandsOn) {
  const auto text = [](const std::string &body) {
    return zeros("start") +
           "  %sums = while %start : tile<1024xf32, #t> {\n"
           "  ^(%head: tile<1024xf32, #t>)\n"
           "    condition %c, %head\n"
           "  } {\n"
           "  ^(%acc: tile<1024xf32, #t>)\n" +
           body + "    yield %next\n  }\n" + stored("sums");
  };
  parse(text(added("next", "acc", "acc")));
  EXPECT_EQ(sharedWith("head"), "start");
  EXPECT_EQ(sharedWith("acc"), "head");
  EXPECT_EQ(sharedWith("next"), "head");
  EXPECT_EQ(sharedWith("sums"), "head");
  module_ = Module();
  parse(text(added("next", "acc", "acc") + stored("acc")));
  EXPECT_EQ(sharedWith("next"), "");
}

// ---- dots and reductions

const std::string kStart =
    "  %start = nest on #e : tile<8x8xf32, #e> {\n"
    "    %0 = splat %zero : tile<8x8xf32, #e>\n"
    "    yield %0\n"
    "  }\n";
const std::string kDot =
    "  %sums = dot_shared %start {a_strides = [4, 1], b_strides = [8, 1], buffers = [0, 1], "
    "k = 4} : tile<8x8xf32, #e>\n";
std::string storedMatrix(const std::string &value) {
  return "  nest on #e {\n    %to_" + value +
         " = splat %out : tile<8x8xptr<f32>, #e>\n    store %to_" + value + ", %" + value +
         "\n    yield\n  }\n";
}

TEST_F(TileStorageTest, ADotAddsToItsAccumulator) {
  parse(kStart + kDot + storedMatrix("sums"));
  EXPECT_EQ(sharedWith("sums"), "start");
}

TEST_F(TileStorageTest, AnAccumulatorThatIsReadAgainIsCopied) {
  parse(kStart + kDot + storedMatrix("sums") + storedMatrix("start"));
  EXPECT_EQ(sharedWith("sums"), "");
}

TEST_F(TileStorageTest, ADotInALoopDoesNotAddToATileFromBefore) {
  parse(kStart + "  for %i = %first to %n step %step {compare = lt} {\n" + kDot +
        storedMatrix("sums") + "    yield\n  }\n");
  EXPECT_EQ(sharedWith("sums"), "");
}

std::string reduced(const std::string &result) {
  return "  %" + result + " = reduce_across %part {axis = 1, kind = sum} : tile<2xf32, #s>\n";
}
const std::string kPart =
    "  %part = nest on #p : tile<2x32xf32, #p> {\n"
    "    %x = splat %zero : tile<2x32xf32, #p>\n"
    "    %part.1 = reduce_thread %x {axis = 1, kind = sum} : tile<2x32xf32, #p>\n"
    "    yield %part.1\n"
    "  }\n";

TEST_F(TileStorageTest, TheLastReductionCombinesInPlace) {
  parse(kPart + reduced("total"));
  EXPECT_EQ(sharedWith("total"), "part");
}

TEST_F(TileStorageTest, AnEarlierReductionCopiesTheParts) {
  parse(kPart + reduced("total") + reduced("again"));
  EXPECT_EQ(sharedWith("total"), "");
  EXPECT_EQ(sharedWith("again"), "part");
}

TEST_F(TileStorageTest, AReductionInALoopCopiesThePartsFromBefore) {
  parse(kPart + "  for %i = %first to %n step %step {compare = lt} {\n" + reduced("total") +
        "    yield\n  }\n");
  EXPECT_EQ(sharedWith("total"), "");
}

// ---- functions

TEST_F(TileStorageTest, ALoopInAFunctionGoesOnWithANumber) {
  parse(
      "  %r = map %n : i32 {\n"
      "  ^(%a: i32)\n"
      "    %b = for %k = %first to %a step %step, %e = %a {compare = lt} : i32 {\n"
      "      %f = add %e, %k : i32\n"
      "      yield %f\n"
      "    }\n"
      "    %d = for %j = %first to %a step %step, %g = %b {compare = lt} : i32 {\n"
      "      %h = add %g, %j : i32\n"
      "      yield %h\n"
      "    }\n"
      "    yield %d\n"
      "  }\n");
  EXPECT_EQ(sharedWith("e"), "");
  EXPECT_EQ(sharedWith("g"), "b");
}

// ---- axes of one register

TEST_F(TileStorageTest, DroppedAxesLeaveNoVectorAccesses) {
  parse(
      "  nest on #u {\n"
      "    %to = splat %out : tile<128xptr<f32>, #u>\n"
      "    %v = load %to {form = uniform, vector = 1} : tile<128xf32, #u>\n"
      "    store %to, %v {form = uniform, vector = 1}\n"
      "    yield\n"
      "  }\n");
  const Op *load = test::find(module_, "v")->definition;
  const Layout &layout = *load->parentOp()->layout;
  const Kernel &kernel = module_.kernels.front();
  const NestSteps vectors(kernel, load->parentOp(), UnitAxes().vectorAxis(layout));
  EXPECT_TRUE(vectors.isVectorAccess(load));
  EXPECT_EQ(vectors.numRuns(), 0U);
  const UnitAxes units({axisKey(layout, 1)});
  EXPECT_TRUE(units.contain(layout, 1));
  EXPECT_FALSE(units.contain(layout, 0));
  const NestSteps elements(kernel, load->parentOp(), units.vectorAxis(layout));
  EXPECT_FALSE(elements.isVectorAccess(load));
  EXPECT_EQ(elements.numRuns(), 1U);
}

}  // namespace
}  // namespace tile2cu::passes
