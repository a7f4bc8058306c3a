// Which elements of two accesses can be at one address.
#include "passes/analysis/memory/access_overlap.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

// As text: "never", or what is the same where they overlap.
std::string words(const Overlap &overlap) {
  if (!overlap.isPossible) return "never";
  const std::string element = overlap.isSameElement ? "element" : "",
                    step = overlap.isSameStep ? "step" : "";
  return element.empty() || step.empty() ? element + step : element + " and " + step;
}

const std::string kHead =
    "%c0 = constant 0 : i32\n%c1 = constant 1 : i32\n%c64 = constant 64 : i32\n"
    "%c128 = constant 128 : i32\n%c127 = constant 127 : i32\n%down = constant -128 : i32\n"
    "%i = arange {end = 128, start = 0} : tile<128xi32>\n%t = splat %p : tile<128xptr<f32>>\n";

// How the load %x overlaps the store %y after it, or without one itself in other iterations.
std::string overlap(const std::string &body) {
  ir::Module module;
  test::parseOrFail(test::kernelText("%p: ptr<f32>, %n: i32, %s: i32", kHead + body), module);
  const ir::Op *load = test::find(module, "x")->definition;
  const ir::Op *other =
      load->next() && load->next()->kind == ir::OpKind::Store ? load->next() : load;
  return words(AccessOverlaps().of(load, other));
}

// The load of `pointer`, a tile of 128, in the iterations of a loop.
std::string inLoop(const std::string &pointer, const std::string &step = "%c128",
                   const std::string &more = "%x = load %q : tile<128xf32>\n") {
  return overlap("for %k = %c0 to %n step " + step + " {compare = lt} {\n" + pointer + more +
                 "yield\n}\n");
}

std::string at(const std::string &offset) {
  return offset +
         "%base = addptr %p, %o : ptr<f32>\n%tb = splat %base : tile<128xptr<f32>>\n"
         "%q = addptr %tb, %i : tile<128xptr<f32>>\n";
}
std::string moving(const std::string &op) { return at("%o = " + op + " : i32\n"); }

TEST(AccessOverlaps, StepsOfALoop) {
  const std::string moves = moving("add %k, %s");
  EXPECT_EQ(inLoop(moves), "element and step");
  EXPECT_EQ(inLoop(moves, "%down"), "element and step");
  // One element is met again, or nobody knows.
  EXPECT_EQ(inLoop(moves, "%c127"), "");
  EXPECT_EQ(inLoop(moves, "%s"), "");
  EXPECT_EQ(inLoop(moves, "%c0"), "");
  // The same addresses in each step: by the same elements.
  EXPECT_EQ(inLoop(moving("add %s, %s")), "element");
  EXPECT_EQ(inLoop(moving("add %k, %k"), "%c64"), "element and step");
  EXPECT_EQ(inLoop(moving("add %k, %k"), "%c1"), "");
  // 128 times whatever it may be.
  EXPECT_EQ(inLoop(moving("mul %k, %s")), "element");
  EXPECT_EQ(inLoop(moving("mul %k, %s"), "%c127"), "");
  EXPECT_EQ(inLoop(moving("mul %k, %c128"), "%c1"), "element and step");
  // More bits, and fewer bits, which wrap around.
  EXPECT_EQ(inLoop(at("%o = cast %k : i64\n")), "element and step");
  EXPECT_EQ(inLoop(at("%o = cast %k : i8\n")), "");
}

TEST(AccessOverlaps, CountersThatWrapAround) {
  auto counted = [](const std::string &type) {
    return overlap("%from = cast %c0 : " + type + "\n%to = cast %n : " + type +
                   "\n%by = constant 128 : " + type +
                   "\nfor %k = %from to %to step %by {compare = lt} {\n" +
                   at("%o = cast %k : i64\n") + "%x = load %q : tile<128xf32>\nyield\n}\n");
  };
  EXPECT_EQ(counted("i64"), "element and step");
  EXPECT_EQ(counted("i16"), "");
  EXPECT_EQ(counted("u32"), "");
}

TEST(AccessOverlaps, RowsOfALoop) {
  const std::string rows = moving("mul %k, %n");
  auto masked = [&](const std::string &bound, const std::string &compare = "lt") {
    return inLoop(rows, "%c1",
                  "%nn = splat %" + bound + " : tile<128xi32>\n%m = " + compare +
                      " %i, %nn : tile<128xbool>\n%x = load %q, %m : tile<128xf32>\n");
  };
  EXPECT_EQ(masked("n"), "element and step");
  EXPECT_EQ(masked("n", "le"), "");
  EXPECT_EQ(masked("s"), "");
  EXPECT_EQ(inLoop(rows, "%c1"), "");
}

TEST(AccessOverlaps, RowsInBlocks) {
  auto blocks = [](const std::string &step, const std::string &bound, const std::string &first) {
    return overlap(
        "for %r = %c0 to %s step %c1 {compare = lt} {\n%row = mul %r, %n : i32\n"
        "for %k = " +
        first + " to %n step " + step + " {compare = lt} {\n" + moving("add %row, %k") +
        "%left = sub " + bound + ", %k : i32\n" +
        "%nn = splat %left : tile<128xi32>\n%m = lt %i, %nn : tile<128xbool>\n"
        "%x = load %q, %m : tile<128xf32>\nyield\n}\nyield\n}\n");
  };
  EXPECT_EQ(blocks("%c128", "%n", "%c0"), "element and step");
  EXPECT_EQ(blocks("%c64", "%n", "%c0"), "");
  EXPECT_EQ(blocks("%c128", "%s", "%c0"), "");
  // Where the first block begins is one place for a row, but may be before it.
  EXPECT_EQ(blocks("%c128", "%n", "%r"), "element and step");
  EXPECT_EQ(blocks("%c128", "%n", "%down"), "");
}

TEST(AccessOverlaps, OfTwoAccesses) {
  auto both = [](const std::string &mine, const std::string &other) {
    return overlap(mine + other + "%x = load %q : tile<128xf32>\nstore %z, %x\n");
  };
  const std::string plain = "%q = addptr %t, %i : tile<128xptr<f32>>\n";
  auto behind = [&](const std::string &number) {
    return "%by = constant " + number +
           " : i32\n%far = addptr %p, %by : ptr<f32>\n"
           "%tf = splat %far : tile<128xptr<f32>>\n%z = addptr %tf, %i : tile<128xptr<f32>>\n";
  };
  EXPECT_EQ(both(plain, behind("0")), "element and step");
  EXPECT_EQ(both(plain, behind("127")), "step");  // not in a loop
  EXPECT_EQ(both(plain, behind("128")), "never");
  EXPECT_EQ(both(plain, behind("-128")), "never");
  EXPECT_EQ(both(plain, behind("-127")), "step");
}

TEST(AccessOverlaps, Halves) {
  // p + r * n + c and n / 2 after it, with c < n / 2.
  auto halves = [](const std::string &by, const std::string &least) {
    return overlap("%c2 = constant 2 : i32\n%half = div %n, " + by + " : i32\n" + least +
                   "for %r = %c0 to %s step %c1 {compare = lt} {\n" + moving("mul %r, %n") +
                   "%h = splat %half : tile<128xi32>\n%z = addptr %q, %h : tile<128xptr<f32>>\n"
                   "%m = lt %i, %h : tile<128xbool>\n"
                   "%x = load %q, %m : tile<128xf32>\nstore %z, %x, %m\nyield\n}\n");
  };
  EXPECT_EQ(halves("%c2", ""), "never");
  EXPECT_EQ(halves("%c64", ""), "never");
  EXPECT_EQ(halves("%c1", ""), "");
  EXPECT_EQ(halves("%s", ""), "");
}

TEST(AccessOverlaps, WhatIsNotKnown) {
  // Loops without a variable, and what a step loads.
  EXPECT_EQ(inLoop("%v = load %p : f32\n%w = cast %v : i32\n" + moving("mul %w, %c128")),
            "element");
  EXPECT_EQ(inLoop("%v = load %p : f32\n%w = cast %v : i32\n" + moving("add %w, %k")), "");
}

}  // namespace
}  // namespace tile2cu::passes
