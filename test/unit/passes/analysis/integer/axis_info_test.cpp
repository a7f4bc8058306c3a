// axis_info: each rule, and each clamp with the wrong answer that it prevents.
#include "passes/analysis/integer/axis_info.h"

#include "test/unit/passes/ir_text.h"

namespace tile2cu::passes {
namespace {

using test::find;
using test::kernelText;
using test::parseOrFail;

struct Analysed {
  ir::Module module;
  std::optional<AxisAnalysis> analysis;
  AxisInfo of(llvm::StringRef name) { return analysis->of(find(module, name)); }
};

// Parameters: %p 16-byte aligned, %n and %s unknown, %n16 divisible by 16, %n4 by 4.
std::unique_ptr<Analysed> analyse(llvm::StringRef body, const Assumptions &assumptions = {}) {
  auto result = std::make_unique<Analysed>();
  parseOrFail(
      kernelText(
          "%p: ptr<const f32> restrict aligned 16, %n: i32, %s: i32, %n16: i32 divisible 16, "
          "%n4: i32 divisible 4, %c: bool, %u16: u32 divisible 16, %u: u32",
          body),
      result->module);
  result->analysis.emplace(result->module.kernels.front(), assumptions);
  return result;
}

// The information about %x. %i is 0 .. 127; %t and so on are the parameters as tiles.
std::string infoOf(llvm::StringRef body, const Assumptions &assumptions = {}) {
  std::string head =
      "%i = arange {end = 128, start = 0} : tile<128xi32>\n"
      "%tn = splat %n : tile<128xi32>\n"
      "%t16 = splat %n16 : tile<128xi32>\n"
      "%t4 = splat %n4 : tile<128xi32>\n"
      "%k1 = constant 1 : i32\n%k4 = constant 4 : i32\n%k8 = constant 8 : i32\n%k12 = constant 12 "
      ": i32\n"
      "%c1 = splat %k1 : tile<128xi32>\n%c4 = splat %k4 : tile<128xi32>\n"
      "%c8 = splat %k8 : tile<128xi32>\n%c12 = splat %k12 : tile<128xi32>\n"
      // Runs of 8 equal numbers: 0 x 8, 1 x 8, ...
      "%blocks = div %i, %c8 : tile<128xi32>\n"
      // Runs of 8: 0 1 2 3 4 5 6 7 0 1 ...
      "%waves = rem %i, %c8 : tile<128xi32>\n";
  return analyse(head + body.str(), assumptions)->of("x").str();
}

// A stride that the launcher finds to be 1: %n.
TEST(AxisInfo, StridesOfOne) {
  const std::string scaled = "%x = mul %i, %tn : tile<128xi32>\n";
  EXPECT_EQ(infoOf(scaled), "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf(scaled, {.divisibility = {}, .ones = {1}}),
            "contiguity [128] divisibility [1048576] constancy [1]");
}

// A run ends where a narrower type ends.
TEST(AxisInfo, CastsOfLongRuns) {
  const std::string range = "%long = arange {end = 512, start = 0} : tile<512xi32>\n";
  EXPECT_EQ(infoOf(range + "%x = cast %long : tile<512xu8>\n"),
            "contiguity [256] divisibility [256] constancy [1]");
  EXPECT_EQ(infoOf(range + "%x = cast %long : tile<512xi8>\n"),
            "contiguity [128] divisibility [128] constancy [1]");
  EXPECT_EQ(infoOf(range + "%x = cast %long : tile<512xu16>\n"),
            "contiguity [512] divisibility [1048576] constancy [1]");
  EXPECT_EQ(infoOf(range + "%a = cast %long : tile<512xu8>\n%b = cast %a : tile<512xi32>\n"
                           "%x = sub %b, %long : tile<512xi32>\n"),
            "contiguity [1] divisibility [1] constancy [256]");
}

TEST(AxisInfo, Creation) {
  EXPECT_EQ(infoOf("%x = arange {end = 64, start = 0} : tile<64xi32>\n"),
            "contiguity [64] divisibility [1048576] constancy [1]");
  EXPECT_EQ(infoOf("%x = arange {end = 1024, start = 24} : tile<1000xi32>\n"),
            "contiguity [1000] divisibility [8] constancy [1]");
  EXPECT_EQ(infoOf("%x = arange {end = 4, start = -12} : tile<16xi32>\n"),
            "contiguity [16] divisibility [4] constancy [1]");
  EXPECT_EQ(infoOf("%x = arange {end = 6, start = 5} : tile<1xi32>\n"),
            "contiguity [1] divisibility [1] constancy [1] constant 5");
  EXPECT_EQ(infoOf("%x = constant 96 : i64\n"),
            "contiguity [1] divisibility [32] constancy [1] constant 96");
  EXPECT_EQ(infoOf("%x = splat %k12 : tile<4x1000xi32>\n"),
            "contiguity [1, 1] divisibility [4, 4] constancy [4, 1000] constant 12");
  EXPECT_EQ(infoOf("%x = splat %n16 : tile<8xi32>\n"),
            "contiguity [1] divisibility [16] constancy [8]");
  EXPECT_EQ(infoOf("%x = grid %n : i64\n"), "contiguity [1] divisibility [1] constancy [1]");
}

TEST(AxisInfo, ParametersAndAssumptions) {
  EXPECT_EQ(analyse("")->of("p").str(), "contiguity [1] divisibility [16] constancy [1]");
  Assumptions assumptions;
  assumptions.divisibility = {{0, 128}, {1, 24}};
  auto with = analyse("", assumptions);
  EXPECT_EQ(with->of("p").divisibility[0], 128);
  EXPECT_EQ(with->of("n").divisibility[0], 8);  // the power of two in 24
  EXPECT_EQ(with->of("n16").divisibility[0], 16);
  // A pointer is at least aligned to its type.
  ir::Module module;
  parseOrFail(kernelText("%q: ptr<f64>", ""), module);
  AxisAnalysis analysis(module.kernels.front(), {});
  EXPECT_EQ(analysis.of(module.kernels.front().body.argument(0)).divisibility[0], 8);
}

TEST(AxisInfo, Add) {
  EXPECT_EQ(infoOf("%x = add %i, %t16 : tile<128xi32>\n"),
            "contiguity [128] divisibility [16] constancy [1]");
  EXPECT_EQ(infoOf("%x = add %t4, %i : tile<128xi32>\n"),
            "contiguity [128] divisibility [4] constancy [1]");
  EXPECT_EQ(infoOf("%x = add %t4, %t16 : tile<128xi32>\n"),
            "contiguity [1] divisibility [4] constancy [128]");
  EXPECT_EQ(infoOf("%x = add %c4, %c8 : tile<128xi32>\n"),
            "contiguity [1] divisibility [4] constancy [128] constant 12");
}

TEST(AxisInfo, AddClampsToTheShorterRun) {
  // 0..7, 9..16, 18..: runs of 8 inside of the run of 128. Their first elements are 0, 9, 18: the divisibility 2^20 of %i's
  // start says nothing about them, nor does that of blocks'. Unclamped, a vector of 4 would be called aligned at 9.
  EXPECT_EQ(infoOf("%x = add %i, %blocks : tile<128xi32>\n"),
            "contiguity [8] divisibility [1] constancy [1]");
  // With steps of 16: 0..7, 24..31, ...: the runs begin at multiples of 8, not of 2^20.
  EXPECT_EQ(
      infoOf("%k16 = constant 16 : i32\n%c16 = splat %k16 : tile<128xi32>\n"
             "%steps = mul %blocks, %c16 : tile<128xi32>\n%x = add %i, %steps : tile<128xi32>\n"),
      "contiguity [8] divisibility [8] constancy [1]");
  // The same for bytes: runs of 8 floats begin at multiples of 32 bytes.
  EXPECT_EQ(
      infoOf(
          "%k16 = constant 16 : i32\n%c16 = splat %k16 : tile<128xi32>\n"
          "%steps = mul %blocks, %c16 : tile<128xi32>\n%tp = splat %p : tile<128xptr<const f32>>\n"
          "%q = addptr %tp, %i : tile<128xptr<const f32>>\n%x = addptr %q, %steps : "
          "tile<128xptr<const f32>>\n",
          {.divisibility = {{0, 1024}}, .ones = {}}),
      "contiguity [8] divisibility [32] constancy [1]");
}

TEST(AxisInfo, AddOfTwoRuns) {
  // 0 2 4 6: no run; all even because both begin even.
  EXPECT_EQ(infoOf("%x = add %i, %i : tile<128xi32>\n"),
            "contiguity [1] divisibility [2] constancy [1]");
  EXPECT_EQ(infoOf("%j = add %i, %c1 : tile<128xi32>\n%x = add %i, %j : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [1]");
}

TEST(AxisInfo, Sub) {
  EXPECT_EQ(infoOf("%x = sub %i, %t16 : tile<128xi32>\n"),
            "contiguity [128] divisibility [16] constancy [1]");
  // n - 0, n - 1, ... runs downwards: 16 divides only the first.
  EXPECT_EQ(infoOf("%x = sub %t16, %i : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf("%x = sub %i, %blocks : tile<128xi32>\n"),
            "contiguity [8] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf("%j = add %i, %t4 : tile<128xi32>\n%x = sub %j, %i : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [128]");
}

TEST(AxisInfo, UnsignedSumsWrap) {
  // 2^32 - 2, 2^32 - 1, 0, 1: no run, unless it begins at a multiple of its length.
  const char *head =
      "%iu = cast %i : tile<128xu32>\n%tu = splat %u : tile<128xu32>\n%tu16 = splat %u16 : "
      "tile<128xu32>\n";
  EXPECT_EQ(infoOf(std::string(head) + "%x = add %iu, %tu : tile<128xu32>\n"),
            "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf(std::string(head) + "%x = sub %iu, %tu16 : tile<128xu32>\n"),
            "contiguity [16] divisibility [16] constancy [1]");
}

TEST(AxisInfo, Mul) {
  EXPECT_EQ(infoOf("%x = mul %t4, %t16 : tile<128xi32>\n"),
            "contiguity [1] divisibility [64] constancy [128]");
  EXPECT_EQ(infoOf("%x = mul %i, %c1 : tile<128xi32>\n"),
            "contiguity [128] divisibility [1048576] constancy [1]");
  EXPECT_EQ(infoOf("%x = mul %c1, %i : tile<128xi32>\n"),
            "contiguity [128] divisibility [1048576] constancy [1]");
  // 0, 16, 32, ...: 2^20 divides only the first.
  EXPECT_EQ(infoOf("%x = mul %i, %t16 : tile<128xi32>\n"),
            "contiguity [1] divisibility [16] constancy [1]");
  EXPECT_EQ(infoOf("%x = mul %blocks, %t4 : tile<128xi32>\n"),
            "contiguity [1] divisibility [4] constancy [8]");
  // The cap.
  EXPECT_EQ(
      infoOf("%a = constant 1048576 : i32\n%b = mul %a, %n16 : i32\n%x = mul %b, %n16 : i32\n"),
      "contiguity [1] divisibility [1048576] constancy [1]");
}

TEST(AxisInfo, Div) {
  EXPECT_EQ(infoOf("%x = div %i, %c8 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [8]");
  EXPECT_EQ(infoOf("%x = div %i, %c12 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [4]");
  EXPECT_EQ(infoOf("%x = div %i, %c1 : tile<128xi32>\n"),
            "contiguity [128] divisibility [1048576] constancy [1]");
  EXPECT_EQ(infoOf("%x = div %t16, %c4 : tile<128xi32>\n"),
            "contiguity [1] divisibility [4] constancy [128]");
  EXPECT_EQ(infoOf("%x = div %t16, %c12 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [128]");
  EXPECT_EQ(infoOf("%x = div %t4, %c8 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [128]");
  // Only runs that begin at multiples of 8: 4 5 6 7 | 8 9 ... over 8.
  EXPECT_EQ(infoOf("%j = add %i, %c4 : tile<128xi32>\n%x = div %j, %c8 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [4]");
  // Runs that may be negative: -4 -3 -2 -1 over 4 are -1 0 0 0.
  EXPECT_EQ(infoOf("%j = add %i, %t16 : tile<128xi32>\n%x = div %j, %c8 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf("%k0 = constant 0 : i32\n%ge = ge %n16, %k0 : bool\nassume %ge\n%t = splat %n16 "
                   ": tile<128xi32>\n"
                   "%j = add %i, %t : tile<128xi32>\n%x = div %j, %c8 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [8]");
}

// Behind an early return, a promise says nothing about what programs do that have returned.
TEST(AxisInfo, LateAssume) {
  const std::string condition =
      "%k16 = constant 16 : i32\n%k0 = constant 0 : i32\n%rest = rem %n, %k16 : i32\n"
      "%eq = eq %rest, %k0 : bool\n";
  const std::string early = "if %c {\n%e = mul %n, %k4 : i32\nreturn\n}\n";
  const std::string late = "assume %eq\n%l = mul %n, %k4 : i32\n";
  auto divisibility = [&](const std::string &body, llvm::StringRef of) {
    return analyse("%k4 = constant 4 : i32\n" + condition + body)->of(of).divisibility[0];
  };
  EXPECT_EQ(divisibility(early + late, "n"), 1);
  EXPECT_EQ(divisibility(early + late, "e"), 4);
  EXPECT_EQ(divisibility(early + late, "l"), 64);
  EXPECT_EQ(divisibility(late, "n"), 16);
}

TEST(AxisInfo, Rem) {
  EXPECT_EQ(infoOf("%x = rem %i, %c8 : tile<128xi32>\n"),
            "contiguity [8] divisibility [8] constancy [1]");
  EXPECT_EQ(infoOf("%x = rem %i, %c12 : tile<128xi32>\n"),
            "contiguity [4] divisibility [4] constancy [1]");
  EXPECT_EQ(infoOf("%x = rem %t16, %c12 : tile<128xi32>\n"),
            "contiguity [1] divisibility [4] constancy [128]");
  // Clamp: 4 .. 11 | 12 ...: mod 8 the runs are 4, and begin at multiples of 4 only.
  EXPECT_EQ(infoOf("%j = add %i, %c4 : tile<128xi32>\n%x = rem %j, %c8 : tile<128xi32>\n"),
            "contiguity [4] divisibility [4] constancy [1]");
  // -4 -3 -2 -1 mod 4 are 0 -3 -2 -1.
  EXPECT_EQ(infoOf("%j = add %i, %t16 : tile<128xi32>\n%x = rem %j, %c8 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [1]");
}

TEST(AxisInfo, ShiftsAndBits) {
  EXPECT_EQ(infoOf("%k3 = constant 3 : i32\n%c3 = splat %k3 : tile<128xi32>\n%x = shl %t4, %c3 : "
                   "tile<128xi32>\n"),
            "contiguity [1] divisibility [32] constancy [128]");
  EXPECT_EQ(infoOf("%x = shl %t4, %tn : tile<128xi32>\n"),
            "contiguity [1] divisibility [4] constancy [128]");
  EXPECT_EQ(infoOf("%k3 = constant 3 : i32\n%c3 = splat %k3 : tile<128xi32>\n%x = shr %i, %c3 : "
                   "tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [8]");
  EXPECT_EQ(infoOf("%k1.1 = constant 1 : i32\n%c1.1 = splat %k1.1 : tile<128xi32>\n%x = shr %t16, "
                   "%c1.1 : tile<128xi32>\n"),
            "contiguity [1] divisibility [8] constancy [128]");
  // Shifts round down, so that runs that may be negative keep their blocks.
  EXPECT_EQ(infoOf("%j = add %i, %t16 : tile<128xi32>\n%x = shr %j, %c4 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [16]");
  EXPECT_EQ(infoOf("%k7 = constant 7 : i32\n%c7 = splat %k7 : tile<128xi32>\n%x = and %i, %c7 : "
                   "tile<128xi32>\n"),
            "contiguity [8] divisibility [8] constancy [1]");
  EXPECT_EQ(infoOf("%x = and %t16, %tn : tile<128xi32>\n"),
            "contiguity [1] divisibility [16] constancy [128]");
  EXPECT_EQ(infoOf("%x = or %t16, %t4 : tile<128xi32>\n"),
            "contiguity [1] divisibility [4] constancy [128]");
  EXPECT_EQ(infoOf("%x = xor %i, %t4 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf("%x = not %blocks : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [8]");
}

TEST(AxisInfo, Compare) {
  auto compare = [](const std::string &op) { return infoOf("%x = " + op + " : tile<128xbool>\n"); };
  std::string by16 = "contiguity [1] divisibility [1] constancy [16]",
              by1 = "contiguity [1] divisibility [1] constancy [1]";
  EXPECT_EQ(compare("lt %i, %t16"), by16);
  EXPECT_EQ(compare("ge %i, %t16"), by16);
  EXPECT_EQ(compare("gt %t16, %i"), by16);
  EXPECT_EQ(compare("le %t16, %i"), by16);
  // 16 <= 16, but not 17 <= 16.
  EXPECT_EQ(compare("le %i, %t16"), by1);
  EXPECT_EQ(compare("gt %i, %t16"), by1);
  EXPECT_EQ(compare("lt %t16, %i"), by1);
  EXPECT_EQ(compare("ge %t16, %i"), by1);
  EXPECT_EQ(compare("eq %i, %t16"), by1);
  EXPECT_EQ(compare("lt %i, %tn"), by1);
  EXPECT_EQ(compare("lt %t4, %t16"), "contiguity [1] divisibility [1] constancy [128]");
  EXPECT_EQ(compare("eq %blocks, %tn"), "contiguity [1] divisibility [1] constancy [8]");
  // i <= 31 is i < 32.
  EXPECT_EQ(infoOf("%k31 = constant 31 : i32\n%c31 = splat %k31 : tile<128xi32>\n%x = le %i, %c31 "
                   ": tile<128xbool>\n"),
            "contiguity [1] divisibility [1] constancy [32]");
  // The index must begin at a multiple of the run: 4 .. 11 < 16 changes after 12 elements.
  EXPECT_EQ(infoOf("%j = add %i, %c4 : tile<128xi32>\n%x = lt %j, %t16 : tile<128xbool>\n"),
            "contiguity [1] divisibility [1] constancy [4]");
  EXPECT_EQ(infoOf("%a = lt %i, %t16 : tile<128xbool>\n%b = lt %i, %t4 : tile<128xbool>\n%x = and "
                   "%a, %b : tile<128xbool>\n"),
            "contiguity [1] divisibility [1] constancy [4]");
  EXPECT_EQ(infoOf("%a = lt %i, %t16 : tile<128xbool>\n%x = not %a : tile<128xbool>\n"), by16);
}

TEST(AxisInfo, SelectAndExtremes) {
  EXPECT_EQ(infoOf("%m = splat %c : tile<128xbool>\n%j = add %i, %t4 : tile<128xi32>\n"
                   "%x = select %m, %i, %j : tile<128xi32>\n"),
            "contiguity [128] divisibility [4] constancy [1]");
  // The condition changes every 16 elements, and there a run may end.
  EXPECT_EQ(infoOf("%m = lt %i, %t16 : tile<128xbool>\n%j = add %i, %t4 : tile<128xi32>\n"
                   "%x = select %m, %i, %j : tile<128xi32>\n"),
            "contiguity [16] divisibility [4] constancy [1]");
  EXPECT_EQ(
      infoOf("%m = lt %i, %t16 : tile<128xbool>\n%x = select %m, %t4, %t16 : tile<128xi32>\n"),
      "contiguity [1] divisibility [4] constancy [16]");
  EXPECT_EQ(infoOf("%j = add %i, %t4 : tile<128xi32>\n%x = maximum %i, %j : tile<128xi32>\n"),
            "contiguity [128] divisibility [4] constancy [1]");
  EXPECT_EQ(infoOf("%x = minimum %i, %t16 : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf("%x = clamp %t16, %t4, %tn : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [128]");
  EXPECT_EQ(infoOf("%x = neg %t16 : tile<128xi32>\n"),
            "contiguity [1] divisibility [16] constancy [128]");
  EXPECT_EQ(infoOf("%x = neg %i : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf("%x = abs %i : tile<128xi32>\n"),
            "contiguity [128] divisibility [1048576] constancy [1]");
}

TEST(AxisInfo, Cast) {
  EXPECT_EQ(infoOf("%j = add %i, %tn : tile<128xi32>\n%x = cast %j : tile<128xi64>\n"),
            "contiguity [128] divisibility [1] constancy [1]");
  // Narrowing wraps: 2^31 - 1, -2^31. A run that begins at a multiple of its length stays whole.
  EXPECT_EQ(
      infoOf("%g = grid %n : i64\n%tg = splat %g : tile<128xi64>\n%j = cast %i : tile<128xi64>\n"
             "%sum = add %j, %tg : tile<128xi64>\n%x = cast %sum : tile<128xi32>\n"),
      "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf("%g = grid %n : i64\n%k = constant 32 : i64\n%b = mul %g, %k : i64\n%tg = splat "
                   "%b : tile<128xi64>\n"
                   "%j = cast %i : tile<128xi64>\n%sum = add %j, %tg : tile<128xi64>\n%x = cast "
                   "%sum : tile<128xi32>\n"),
            "contiguity [32] divisibility [32] constancy [1]");
  EXPECT_EQ(infoOf("%x = cast %blocks : tile<128xf32>\n"),
            "contiguity [1] divisibility [1] constancy [8]");
  EXPECT_EQ(infoOf("%x = cast %k12 : i64\n"),
            "contiguity [1] divisibility [4] constancy [1] constant 12");
  EXPECT_EQ(infoOf("%x = bitcast %p : u64\n"), "contiguity [1] divisibility [16] constancy [1]");
  // An address counts bytes, not elements.
  EXPECT_EQ(infoOf("%w = cast %n4 : i64\n%x = bitcast %w : ptr<const i32>\n"),
            "contiguity [1] divisibility [4] constancy [1]");
}

TEST(AxisInfo, Hint) {
  EXPECT_EQ(infoOf("%x = hint %n {divisibility = 8} : i32\n"),
            "contiguity [1] divisibility [8] constancy [1]");
  EXPECT_EQ(infoOf("%x = hint %n16 {divisibility = 4} : i32\n"),
            "contiguity [1] divisibility [16] constancy [1]");
  EXPECT_EQ(infoOf("%x = hint %p {alignment = 128} : ptr<const f32>\n"),
            "contiguity [1] divisibility [128] constancy [1]");
  // max_contiguous(multiple_of(i % n, 64), 64)
  EXPECT_EQ(
      infoOf("%r = rem %i, %tn : tile<128xi32>\n%a = hint %r {divisibility = 64} : tile<128xi32>\n"
             "%x = hint %a {contiguity = 64} : tile<128xi32>\n"),
      "contiguity [64] divisibility [64] constancy [1]");
  EXPECT_EQ(infoOf("%j = reshape %tn : tile<4x32xi32>\n%x = hint %j {contiguity = [1, 16], "
                   "divisibility = [4, 8]} : tile<4x32xi32>\n"),
            "contiguity [1, 16] divisibility [4, 8] constancy [4, 32]");
}

TEST(AxisInfo, Assumptions) {
  EXPECT_EQ(infoOf("%k0 = constant 0 : i32\n%r = rem %n, %k12 : i32\n%e = eq %r, %k0 : "
                   "bool\nrequire %e\n%x = neg %n : i32\n"),
            "contiguity [1] divisibility [4] constancy [1]");
  EXPECT_EQ(infoOf("%k0 = constant 0 : i32\n%k7 = constant 7 : i32\n%r = and %n, %k7 : i32\n%e = "
                   "eq %r, %k0 : bool\n"
                   "%r2 = rem %s, %k8 : i32\n%e2 = eq %r2, %k0 : bool\n%both = and %e, %e2 : "
                   "bool\nassume %both\n"
                   "%x = add %n, %s : i32\n"),
            "contiguity [1] divisibility [8] constancy [1]");
  // In an `if` it says nothing about the rest.
  EXPECT_EQ(infoOf("%k0 = constant 0 : i32\n%r = rem %n, %k8 : i32\n%e = eq %r, %k0 : bool\nif %c "
                   "{\nassume %e\n}\n"
                   "%x = neg %n : i32\n"),
            "contiguity [1] divisibility [1] constancy [1]");
}

TEST(AxisInfo, Views) {
  EXPECT_EQ(infoOf("%x = expand_dims %i {axis = 0} : tile<1x128xi32>\n"),
            "contiguity [1, 128] divisibility [1, 1048576] constancy [1, 1]");
  EXPECT_EQ(infoOf("%x = expand_dims %t16 {axis = 1} : tile<128x1xi32>\n"),
            "contiguity [1, 1] divisibility [16, 16] constancy [128, 1]");
  EXPECT_EQ(infoOf("%e = expand_dims %i {axis = 0} : tile<1x128xi32>\n%x = broadcast %e : "
                   "tile<8x128xi32>\n"),
            "contiguity [1, 128] divisibility [1, 1048576] constancy [8, 1]");
  EXPECT_EQ(
      infoOf(
          "%e = expand_dims %i {axis = 0} : tile<1x128xi32>\n%b = broadcast %e : tile<8x128xi32>\n"
          "%x = permute %b {order = [1, 0]} : tile<128x8xi32>\n"),
      "contiguity [128, 1] divisibility [1048576, 1] constancy [1, 8]");
  EXPECT_EQ(infoOf("%x = flip %i {axis = 0} : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf("%x = flip %blocks {axis = 0} : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [8]");
}

TEST(AxisInfo, TwoDimensionalPointers) {
  // rows * stride + cols with a stride divisible by 4 and 16-byte pointers.
  std::string rowMajor =
      "%rows = arange {end = 32, start = 0} : tile<32xi32>\n%rows2 = expand_dims %rows {axis = 1} "
      ": tile<32x1xi32>\n"
      "%st = splat %n4 : tile<32x1xi32>\n%ro = mul %rows2, %st : tile<32x1xi32>\n"
      "%rb = broadcast %ro : tile<32x128xi32>\n%ce = expand_dims %i {axis = 0} : tile<1x128xi32>\n"
      "%cb = broadcast %ce : tile<32x128xi32>\n%off = add %rb, %cb : tile<32x128xi32>\n"
      "%tp = splat %p : tile<32x128xptr<const f32>>\n%x = addptr %tp, %off : tile<32x128xptr<const "
      "f32>>\n";
  EXPECT_EQ(infoOf(rowMajor), "contiguity [1, 128] divisibility [4, 16] constancy [1, 1]");
}

TEST(AxisInfo, ReshapeJoinSplitCatSlice) {
  EXPECT_EQ(infoOf("%x = reshape %i : tile<4x32xi32>\n"),
            "contiguity [1, 32] divisibility [1, 32] constancy [1, 1]");
  EXPECT_EQ(infoOf("%x = reshape %t16 : tile<4x1x32xi32>\n"),
            "contiguity [1, 1, 1] divisibility [16, 16, 16] constancy [4, 1, 32]");
  EXPECT_EQ(infoOf("%x = reshape %blocks : tile<32x4xi32>\n"),
            "contiguity [1, 1] divisibility [1, 1] constancy [2, 4]");
  EXPECT_EQ(
      infoOf(
          "%e = expand_dims %i {axis = 0} : tile<1x128xi32>\n%b = broadcast %e : tile<8x128xi32>\n"
          "%x = reshape %b : tile<1024xi32>\n"),
      "contiguity [128] divisibility [1048576] constancy [1]");
  EXPECT_EQ(
      infoOf(
          "%e = expand_dims %i {axis = 1} : tile<128x1xi32>\n%b = broadcast %e : tile<128x8xi32>\n"
          "%x = reshape %b : tile<1024xi32>\n"),
      "contiguity [1] divisibility [1] constancy [8]");
  // Only the group {128 -> 4, 32} changes.
  EXPECT_EQ(
      infoOf(
          "%e = expand_dims %i {axis = 0} : tile<1x128xi32>\n%b = broadcast %e : tile<6x128xi32>\n"
          "%x = reshape %b : tile<6x4x32xi32>\n"),
      "contiguity [1, 1, 32] divisibility [1, 1, 32] constancy [6, 1, 1]");
  EXPECT_EQ(infoOf("%x = join %t16, %t4 : tile<128x2xi32>\n"),
            "contiguity [1, 1] divisibility [4, 4] constancy [128, 1]");
  EXPECT_EQ(
      infoOf(
          "%j = join %i, %i : tile<128x2xi32>\n%x, %y = split %j : tile<128xi32>, tile<128xi32>\n"),
      "contiguity [128] divisibility [1048576] constancy [1]");
  EXPECT_EQ(
      infoOf("%w = add %waves, %c8 : tile<128xi32>\n%x = cat %i, %w {axis = 0} : tile<256xi32>\n"),
      "contiguity [8] divisibility [8] constancy [1]");
  EXPECT_EQ(infoOf("%x = slice %i {offsets = [4]} : tile<24xi32>\n"),
            "contiguity [24] divisibility [4] constancy [1]");
  EXPECT_EQ(infoOf("%x = slice %waves {offsets = [4]} : tile<24xi32>\n"),
            "contiguity [4] divisibility [4] constancy [1]");
}

TEST(AxisInfo, Load) {
  std::string p =
      "%tp = splat %p : tile<128xptr<const f32>>\n%q = addptr %tp, %blocks : tile<128xptr<const "
      "f32>>\n";
  EXPECT_EQ(infoOf(p + "%x = load %q : tile<128xf32>\n"),
            "contiguity [1] divisibility [1] constancy [8]");
  EXPECT_EQ(infoOf(p + "%m = lt %i, %t4 : tile<128xbool>\n%x = load %q, %m : tile<128xf32>\n"),
            "contiguity [1] divisibility [1] constancy [4]");
}

TEST(AxisInfo, Loops) {
  // for (k = 0; k < n; k += 64): the loop variable, a carried offset and carried pointers.
  std::string loop =
      "%k0 = constant 0 : i32\n%k64 = constant 64 : i32\n%t64 = splat %k64 : tile<128xi32>\n"
      "%tp = splat %p : tile<128xptr<const f32>>\n%q = addptr %tp, %i : tile<128xptr<const f32>>\n"
      "%ro, %rp = for %k = %k0 to %n step %k64, %o = %i, %a = %q {compare = lt} : tile<128xi32>, "
      "tile<128xptr<const f32>> {\n"
      "%o2 = add %o, %t64 : tile<128xi32>\n%a2 = addptr %a, %t64 : tile<128xptr<const f32>>\n"
      "yield %o2, %a2\n}\n";
  auto a = analyse("%i = arange {end = 128, start = 0} : tile<128xi32>\n" + loop);
  EXPECT_EQ(a->of("k").str(), "contiguity [1] divisibility [64] constancy [1]");
  EXPECT_EQ(a->of("o").str(), "contiguity [128] divisibility [64] constancy [1]");
  EXPECT_EQ(a->of("a").str(), "contiguity [128] divisibility [16] constancy [1]");
  EXPECT_EQ(a->of("rp").str(), "contiguity [128] divisibility [16] constancy [1]");
}

TEST(AxisInfo, LoopsReachTheirFixedPoint) {
  // Each round halves what is known: 2^20 -> ... -> 4 by adding n4.
  auto a = analyse(
      "%k0 = constant 0 : i32\n%k1 = constant 1 : i32\n"
      "%r, %r2 = for %k = %k0 to %n step %k1, %a = %k0, %b = %k0 : i32, i32 {\n"
      "%b2 = add %b, %n4 : i32\nyield %b, %b2\n}\n");
  EXPECT_EQ(a->of("a").str(), "contiguity [1] divisibility [4] constancy [1]");
  EXPECT_EQ(a->of("r2").str(), "contiguity [1] divisibility [4] constancy [1]");
  // break and continue carry values too.
  a = analyse(
      "%k0 = constant 0 : i32\n%k1 = constant 1 : i32\n%k8 = constant 8 : i32\n"
      "%r = for %k = %k0 to %n step %k1, %a = %k0 : i32 {\n"
      "if %c {\nbreak %n4\n}\nif %c {\ncontinue %n16\n}\nyield %k8\n}\n");
  EXPECT_EQ(a->of("a").divisibility[0], 8);
  EXPECT_EQ(a->of("r").divisibility[0], 4);
  a = analyse(
      "%k0 = constant 0 : i32\n"
      "%r = while %k0 : i32 {\n^(%a: i32)\n%m = lt %a, %n : bool\ncondition %m, %a\n} {\n^(%b: "
      "i32)\n"
      "%b2 = add %b, %n16 : i32\nyield %b2\n}\n");
  EXPECT_EQ(a->of("a").divisibility[0], 16);
  EXPECT_EQ(a->of("b").divisibility[0], 16);
  EXPECT_EQ(a->of("r").divisibility[0], 16);
}

TEST(AxisInfo, JoinsClampToo) {
  // One arm has runs of 128 from 0, the other runs of 8 that begin at multiples of 8: together runs of 8 at multiples of 8.
  EXPECT_EQ(infoOf("%k16 = constant 16 : i32\n%c16 = splat %k16 : tile<128xi32>\n%w = add %waves, "
                   "%c16 : tile<128xi32>\n"
                   "%x = if %c : tile<128xi32> {\nyield %i\n} else {\nyield %w\n}\n"),
            "contiguity [8] divisibility [8] constancy [1]");
  EXPECT_EQ(infoOf("%x = if %c : i32 {\nyield %n16\n} else {\nreturn\n}\n"),
            "contiguity [1] divisibility [16] constancy [1]");
}

TEST(AxisInfo, OtherOperations) {
  EXPECT_EQ(infoOf("%x = reduce %i {axis = 0, kind = sum} : i32\n"),
            "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(infoOf("%x = scan %i {axis = 0, kind = sum} : tile<128xi32>\n"),
            "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(
      infoOf(
          "%x = map %blocks : tile<128xi32> {\n^(%e: i32)\n%y = add %e, %n : i32\nyield %y\n}\n"),
      "contiguity [1] divisibility [1] constancy [8]");
}

}  // namespace
}  // namespace tile2cu::passes
