// integers: the numbers that values and the elements of tiles can be, and what the launcher's checks add.
#include "passes/analysis/integer/integers.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

using Bounds = std::pair<int64_t, int64_t>;

std::optional<Bounds> rangeIn(const std::string &body) {
  ir::Module module;
  test::parseOrFail(test::kernelText("%p: ptr<f32>, %n: i32, %u: u32",
                                     "%i = arange {end = 100, start = -4} : tile<104xi32>\n"
                                     "%k = constant 3 : i32\n%ks = splat %k : tile<104xi32>\n"
                                     "%m = constant -2 : i32\n%ms = splat %m : tile<104xi32>\n" +
                                         body),
                    module);
  auto range = rangeOf(test::find(module, "x"), Assume::Nothing);
  if (!range) return std::nullopt;
  return Bounds{range->low, range->high};
}

TEST(Ranges, Arithmetic) {
  EXPECT_EQ(rangeIn("%x = add %i, %ks : tile<104xi32>\n"), Bounds(-1, 102));
  EXPECT_EQ(rangeIn("%x = sub %ks, %i : tile<104xi32>\n"), Bounds(-96, 7));
  EXPECT_EQ(rangeIn("%x = mul %i, %ms : tile<104xi32>\n"), Bounds(-198, 8));
  EXPECT_EQ(rangeIn("%x = mul %i, %i : tile<104xi32>\n"), Bounds(-396, 9801));
  EXPECT_EQ(rangeIn("%x = cast %i : tile<104xi64>\n"), Bounds(-4, 99));
  EXPECT_EQ(rangeIn("%e = expand_dims %i {axis = 0} : tile<1x104xi32>\n%x = broadcast %e : "
                    "tile<8x104xi32>\n"),
            Bounds(-4, 99));
}

// A value that is not known, or that wraps around, has the range of its type.
TEST(Ranges, Unknown) {
  const Bounds i8(-128, 127), i32(INT32_MIN, INT32_MAX), u32(0, UINT32_MAX);
  EXPECT_EQ(rangeIn("%x = splat %n : tile<104xi32>\n"), i32);
  EXPECT_EQ(rangeIn("%t = splat %n : tile<104xi32>\n%x = add %i, %t : tile<104xi32>\n"), i32);
  EXPECT_EQ(rangeIn("%x = cast %i : tile<104xu32>\n"), u32);
  EXPECT_EQ(rangeIn("%x = xor %i, %ks : tile<104xi32>\n"), i32);
  EXPECT_EQ(rangeIn("%x = cast %i : tile<104xi8>\n"), Bounds(-4, 99));
  EXPECT_EQ(rangeIn("%d = add %i, %i : tile<104xi32>\n%x = cast %d : tile<104xi8>\n"), i8);
  EXPECT_EQ(rangeIn("%b = constant 4611686018427387904 : i64\n%bs = splat %b : tile<104xi64>\n%x = "
                    "mul %bs, %bs : tile<104xi64>\n"),
            Bounds(INT64_MIN, INT64_MAX));
}

// ---- what the launcher has checked

constexpr Bounds kI32(INT32_MIN, INT32_MAX), kU32(0, UINT32_MAX);

constexpr const char *kParameters = "%n: i32, %m: i32, %b: i8, %u: u32, %w: i64";
constexpr const char *kConstants =
    "%zero = constant 0 : i32\n%one = constant 1 : i32\n%ten = constant 10 : i32\n%step = constant "
    "64 : i32\n";

std::optional<Bounds> boundsIn(const std::string &body, const char *name, Assume assume) {
  ir::Module module;
  test::parseOrFail(test::kernelText(kParameters, kConstants + body), module);
  const auto range = rangeOf(test::find(module, name), assume);
  if (!range) return std::nullopt;
  return Bounds{range->low, range->high};
}

// The range of n, where a program runs.
std::optional<Bounds> launched(const std::string &body, const char *name = "n") {
  return boundsIn(body, name, Assume::Launched);
}

std::string require(const std::string &comparison) {
  return "%c = " + comparison + " : bool\nrequire %c\n";
}

TEST(Integers, RequiredComparisons) {
  EXPECT_EQ(launched(""), kI32);
  EXPECT_EQ(launched(require("lt %n, %ten")), Bounds(INT32_MIN, 9));
  EXPECT_EQ(launched(require("le %n, %ten")), Bounds(INT32_MIN, 10));
  EXPECT_EQ(launched(require("gt %n, %ten")), Bounds(11, INT32_MAX));
  EXPECT_EQ(launched(require("ge %n, %ten")), Bounds(10, INT32_MAX));
  EXPECT_EQ(launched(require("eq %n, %ten")), Bounds(10, 10));
  EXPECT_EQ(launched(require("lt %ten, %n")), Bounds(11, INT32_MAX));
  EXPECT_EQ(launched(require("le %ten, %n")), Bounds(10, INT32_MAX));
  EXPECT_EQ(launched(require("gt %ten, %n")), Bounds(INT32_MIN, 9));
  EXPECT_EQ(launched(require("ge %ten, %n")), Bounds(INT32_MIN, 10));
  EXPECT_EQ(launched(require("ne %ten, %n")), kI32);
  EXPECT_EQ(launched("%least = constant 0 : u32\n" + require("ne %u, %least"), "u"),
            Bounds(1, UINT32_MAX));
  EXPECT_EQ(launched("%most = constant 4294967295 : u32\n" + require("ne %most, %u"), "u"),
            Bounds(0, UINT32_MAX - 1));
  // The range of another number.
  EXPECT_EQ(launched("%wide = cast %b : i32\n" + require("le %n, %wide")), Bounds(INT32_MIN, 127));
  // If two are compared with each other, each is bounded by the other.
  EXPECT_EQ(launched(require("le %n, %m") + "%d = le %m, %ten : bool\nrequire %d\n"),
            Bounds(INT32_MIN, 10));
  EXPECT_EQ(launched(require("lt %n, %m")), Bounds(INT32_MIN, INT32_MAX - 1));
  // Both parts of a conjunction.
  EXPECT_EQ(launched("%c = ge %n, %zero : bool\n%d = lt %n, %ten : bool\n%e = and %c, %d : bool\n"
                     "require %e\n"),
            Bounds(0, 9));
}

// Only conditions that hold wherever the value is used.
TEST(Integers, NotRequired) {
  const std::string positive = "%c = gt %n, %zero : bool\n";
  EXPECT_EQ(launched(positive), kI32);
  EXPECT_EQ(boundsIn(positive + "require %c\n", "n", Assume::Nothing), kI32);
  EXPECT_EQ(launched(positive + "%d = gt %m, %zero : bool\n%e = or %c, %d : bool\nrequire %e\n"),
            kI32);
  EXPECT_EQ(launched(positive + "assume %c\n"), Bounds(1, INT32_MAX));
  const std::string branch =
      "%d = gt %m, %zero : bool\nif %d {\n  assume %c\n  yield\n} else {\n  "
      "yield\n}\n";
  EXPECT_EQ(launched(positive + branch), kI32);
  const std::string behindReturn =
      "%d = gt %m, %zero : bool\nif %d {\n  return\n} else {\n  yield\n}\nassume %c\n";
  EXPECT_EQ(launched(positive + behindReturn), kI32);
  // No program runs: whatever the answer is, it is a range.
  const auto none = launched(require("gt %n, %ten") + "%d = lt %n, %ten : bool\nrequire %d\n");
  EXPECT_LE(none->first, none->second);
}

TEST(Integers, RequiredThroughConversions) {
  EXPECT_EQ(launched("%l = cast %n : i64\n" + require("gt %l, %w")), kI32);
  EXPECT_EQ(launched("%l = cast %n : i64\n%k = constant 7 : i64\n" + require("gt %l, %k")),
            Bounds(8, INT32_MAX));
  // As an unsigned number, a negative one is large.
  const std::string asUnsigned = "%l = cast %n : u32\n%k = constant ";
  EXPECT_EQ(launched(asUnsigned + "100 : u32\n" + require("le %l, %k")), Bounds(0, 100));
  EXPECT_EQ(launched(asUnsigned + "2147483647 : u32\n" + require("le %l, %k")),
            Bounds(0, INT32_MAX));
  EXPECT_EQ(launched(asUnsigned + "2147483648 : u32\n" + require("le %l, %k")), kI32);
  EXPECT_EQ(launched(asUnsigned + "5 : u32\n" + require("ge %l, %k")), kI32);
  // A narrower number tells nothing of this one.
  EXPECT_EQ(launched("%s = cast %n : i8\n%k = constant 3 : i8\n" + require("eq %s, %k")), kI32);
}

TEST(Integers, CountedByGrid) {
  const std::string cdiv =
      "%q = div %n, %step : i32\n%r = rem %n, %step : i32\n%more = gt %r, %zero : bool\n%one_more "
      "= "
      "cast %more : i32\n%blocks = add %q, %one_more : i32\n";
  EXPECT_EQ(launched(cdiv), kI32);
  EXPECT_EQ(launched(cdiv + "%id = grid %blocks : i64\n")->first, 1);
  EXPECT_EQ(launched("%id = grid %n : i64\n")->first, 1);
  EXPECT_EQ(launched("%p = mul %n, %m : i32\n%id = grid %p : i64\n")->first, 1);
  EXPECT_EQ(launched("%p = add %n, %m : i32\n%id = grid %p : i64\n"), kI32);
}

// ---- the ends of types

TEST(Integers, NarrowArithmeticWrapsAround) {
  const Bounds i8(-128, 127);
  const std::string positive = "%k = constant 100 : i8\n" + require("ge %b, %k");
  EXPECT_EQ(launched(positive, "b"), Bounds(100, 127));
  EXPECT_EQ(launched(positive + "%x = mul %b, %b : i8\n", "x"), i8);
  EXPECT_EQ(launched(positive + "%x = add %b, %b : i8\n", "x"), i8);
  EXPECT_EQ(launched("%x = abs %b : i8\n", "x"), i8);  // of -128
  EXPECT_EQ(launched("%x = abs %n : i32\n", "x"), Bounds(0, INT32_MAX));
  EXPECT_EQ(launched("%x = or %u, %u : u32\n", "x"), kU32);
  EXPECT_EQ(launched("%x = or %n, %ten : i32\n", "x"), kI32);
  EXPECT_EQ(launched(require("ge %n, %zero") + "%x = xor %n, %ten : i32\n", "x"),
            Bounds(0, INT32_MAX));
  EXPECT_EQ(launched(require("ge %n, %zero") + "%x = shr %n, %m : i32\n", "x"),
            Bounds(0, INT32_MAX));
  EXPECT_EQ(launched("%x = shr %n, %m : i32\n", "x"), kI32);
}

std::string loopTo(const std::string &lower, const std::string &upper,
                   const std::string &compare = "lt") {
  return "for %k = " + lower + " to " + upper + " step %step {compare = " + compare +
         ", stops = true} {\n  yield\n}\n";
}

// Whether k + 64 always is a number of its type.
bool staysInType(const std::string &body) {
  ir::Module module;
  test::parseOrFail(test::kernelText(kParameters, kConstants + body), module);
  bool stays = false;
  ir::walk(module.kernels.front().body, [&](ir::Op *op) {
    if (op->kind == ir::OpKind::For) stays = Integers(Assume::Launched).staysInType(op);
  });
  return stays;
}

TEST(Integers, LastSumOfALoop) {
  const auto most = [](int64_t bound) {
    return "%most = constant " + std::to_string(bound) + " : i32\n" + require("le %n, %most");
  };
  const std::string toN = loopTo("%zero", "%n");
  EXPECT_FALSE(staysInType(toN));
  EXPECT_TRUE(staysInType(most(INT32_MAX - 63) + toN));
  EXPECT_FALSE(staysInType(most(INT32_MAX - 62) + toN));
  const std::string including = loopTo("%zero", "%n", "le");
  EXPECT_TRUE(staysInType(most(INT32_MAX - 64) + including));
  EXPECT_FALSE(staysInType(most(INT32_MAX - 63) + including));
}

// In an unsigned type, a step of 64 up is also a step of 2^32 - 64 down.
TEST(Integers, UnsignedRanges) {
  const std::string numbers =
      "%first = constant 100 : u32\n%up = constant 64 : u32\n%down = constant 4294967232 : u32\n";
  const auto variable = [&](const std::string &header) {
    return boundsIn(numbers + "for %k = " + header + ", stops = true} {\n  yield\n}\n", "k",
                    Assume::Nothing);
  };
  EXPECT_EQ(variable("%first to %u step %up {compare = lt"), Bounds(100, UINT32_MAX - 1));
  EXPECT_EQ(variable("%u to %first step %down {compare = gt"), Bounds(101, UINT32_MAX));
  EXPECT_EQ(variable("%first to %u step %down {compare = gt"), Bounds(1, 100));
  EXPECT_EQ(variable("%u to %first step %up {compare = lt"), Bounds(0, 99));
}

// A loop that comes to its bound exactly goes no further.
TEST(Integers, LoopsToMultiples) {
  const auto multiple = [](const std::string &rest) {
    return "%rest = " + rest + "\n" + require("eq %rest, %zero");
  };
  const std::string toN = loopTo("%zero", "%n");
  EXPECT_TRUE(staysInType(multiple("rem %n, %step : i32") + toN));
  EXPECT_TRUE(staysInType("%mask = constant 63 : i32\n" + multiple("and %n, %mask : i32") + toN));
  EXPECT_TRUE(staysInType("%k128 = constant 128 : i32\n" + multiple("rem %n, %k128 : i32") + toN));
  EXPECT_FALSE(staysInType("%k32 = constant 32 : i32\n" + multiple("rem %n, %k32 : i32") + toN));
  EXPECT_FALSE(staysInType("%k62 = constant 62 : i32\n" + multiple("and %n, %k62 : i32") + toN));
  EXPECT_FALSE(staysInType("%rest = rem %n, %step : i32\n" + require("eq %rest, %one") + toN));
  EXPECT_FALSE(staysInType(multiple("rem %n, %step : i32") + loopTo("%one", "%n")));
  EXPECT_FALSE(staysInType(multiple("rem %n, %step : i32") + loopTo("%zero", "%n", "le")));
  EXPECT_FALSE(staysInType(multiple("rem %m, %step : i32") + toN));
  EXPECT_TRUE(staysInType("%p = mul %n, %step : i32\n" + loopTo("%zero", "%p")));
  EXPECT_TRUE(
      staysInType("%p = mul %m, %step : i32\n%end = add %n, %p : i32\n" + loopTo("%n", "%end")));
  EXPECT_FALSE(staysInType("%end = add %n, %m : i32\n" + loopTo("%n", "%end")));
}

// ---- what loops carry

TEST(Integers, Carried) {
  const auto carried = [](const std::string &first, const std::string &next) {
    return "%x = for %k = %zero to %n step %one, %o = " + first + " {compare = lt} : i32 {\n" +
           next + "  yield %next\n}\n";
  };
  const Bounds nonNegative(0, INT32_MAX);
  const std::string sum = "  %next = add %o, %k : i32\n", rest = "  %next = sub %o, %one : i32\n";
  EXPECT_EQ(launched(carried("%ten", sum), "o"), nonNegative);
  EXPECT_EQ(launched(carried("%ten", sum), "x"), nonNegative);
  EXPECT_EQ(launched(carried("%m", sum), "o"), kI32);
  EXPECT_EQ(launched(carried("%ten", rest), "o"), kI32);
  EXPECT_EQ(launched(carried("%ten", rest), "x"), kI32);
  EXPECT_EQ(boundsIn(carried("%ten", sum), "o", Assume::Nothing), kI32);
  // Two that depend on each other; one of them may decrease.
  const auto two = [](const std::string &next) {
    return "%x, %y = for %k = %zero to %n step %one, %o = %ten, %p = %one {compare = lt} : i32, "
           "i32 "
           "{\n" +
           next + "  yield %p, %next\n}\n";
  };
  EXPECT_EQ(launched(two("  %next = add %o, %p : i32\n"), "o"), nonNegative);
  EXPECT_EQ(launched(two("  %next = sub %o, %p : i32\n"), "o"), kI32);
}

TEST(Integers, LeftByBreak) {
  const auto left = [](const std::string &value) {
    return "%x = for %k = %zero to %n step %one, %o = %ten {compare = lt} : i32 {\n  %is = gt %k, "
           "%m "
           ": bool\n  if %is {\n    break " +
           value + "\n  } else {\n    yield\n  }\n  yield %k\n}\n";
  };
  EXPECT_EQ(launched(left("%ten"), "x"), Bounds(0, INT32_MAX));
  EXPECT_EQ(launched(left("%m"), "x"), kI32);
  EXPECT_EQ(launched(left("%m"), "o"), Bounds(0, INT32_MAX));
}

// ---- values that others are below

TEST(Integers, RemaindersAreBelowPositiveDivisors) {
  const auto hasBound = [](const std::string &body) {
    ir::Module module;
    test::parseOrFail(test::kernelText(kParameters, kConstants + body + "%x = rem %m, %n : i32\n"),
                      module);
    return Integers(Assume::Launched).exclusiveBound(test::find(module, "x")) != nullptr;
  };
  EXPECT_FALSE(hasBound(""));  // 7 % -128 is 7
  EXPECT_FALSE(hasBound(require("ge %n, %zero")));
  EXPECT_TRUE(hasBound(require("gt %n, %zero")));
}

TEST(Integers, LosslessCasts) {
  const auto isLossless = [](const std::string &body) {
    ir::Module module;
    test::parseOrFail(test::kernelText(kParameters, kConstants + body), module);
    return Integers(Assume::Launched).isLossless(test::find(module, "x")->definition);
  };
  EXPECT_TRUE(isLossless("%d = cast %n : i64\n%r = rem %w, %d : i64\n%x = cast %r : i32\n"));
  EXPECT_FALSE(isLossless("%d = cast %n : i64\n%r = rem %w, %d : i64\n%x = cast %r : i8\n"));
  const auto byConstant = [](const std::string &divisor) {
    return "%l = cast %w : u64\n%d = constant " + divisor +
           " : u64\n%r = rem %l, %d : u64\n%x = cast %r : i32\n";
  };
  EXPECT_TRUE(isLossless(byConstant("2147483648")));
  EXPECT_FALSE(isLossless(byConstant("2147483649")));
  EXPECT_FALSE(isLossless(byConstant("-5")));  // 2^64 - 5, as it is kept
}

}  // namespace
}  // namespace tile2cu::passes
