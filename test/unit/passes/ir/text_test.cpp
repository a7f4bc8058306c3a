// print and parse: the text of the IR.
#include "test/unit/passes/ir_text.h"

namespace tile2cu::ir {
namespace {

using test::parseOrFail;

void roundTrip(const std::string &text, PrintOptions options = {}) {
  Module module;
  parseOrFail(text, module);
  std::string printed;
  llvm::raw_string_ostream os(printed);
  print(module, os, options);
  EXPECT_EQ(printed, text);
}

std::string parseError(llvm::StringRef text) {
  Module module;
  Diagnostics diagnostics;
  EXPECT_TRUE(failed(parse(text, "bad.t2ir", module, diagnostics)));
  if (diagnostics.all.size() != 1) return "";
  const Diagnostic &d = diagnostics.all[0];
  EXPECT_EQ(module.files[d.loc.file], "bad.t2ir");
  return std::to_string(d.loc.line) + ":" + std::to_string(d.loc.column) + ": " + d.message;
}

TEST(Text, StraightLine) {
  roundTrip(
      R"(kernel @softmax<BLOCK = 1024>(%in: ptr<const f32> restrict, %out: ptr<f32>, %n: i32) warps 4 {
  %row = grid %n : i64
  %cols = arange {end = 1024, start = 0} : tile<1024xi32>
  %bound = splat %n : tile<1024xi32>
  %mask = lt %cols, %bound : tile<1024xbool>
  %base = addptr %in, %row : ptr<const f32>
  %p = splat %base : tile<1024xptr<const f32>>
  %p.1 = addptr %p, %cols : tile<1024xptr<const f32>>
  %0 = constant -inf : f32
  %1 = splat %0 : tile<1024xf32>
  %x = load %p.1, %mask, %1 {cache = cg, evict = first} : tile<1024xf32>
  %y = load %p.1, _, %1 : tile<1024xf32>
  %z = load %p.1 : tile<1024xf32>
}
launcher @softmax_1024 = select @softmax#0
)");
}

TEST(Text, Regions) {
  roundTrip(R"(kernel @k(%n: i32, %c: bool) warps 1 {
  %zero = constant 0.0 : f32
  %lo = constant 0 : i32
  %st = constant 16 : i32
  %acc, %count = for %k = %lo to %n step %st, %acc.1 = %zero, %count.1 = %lo {compare = lt, unroll = 2} : f32, i32 {
    %k.1 = cast %k : f32
    %next = add %acc.1, %k.1 : f32
    yield %next, %k
  }
  for %i = %n to %lo step %st {
    debug_barrier
    %j = neg %i : i32
  }
  %t = if %c : f32 {
    yield %acc
  } else {
    return
  }
  if %c {
    device_assert %c {message = "not \"this\"\n"}
  }
  %w = while %count : i32 {
  ^(%a: i32)
    %more = lt %a, %n : bool
    condition %more, %a
  } {
  ^(%b: i32)
    %b2 = add %b, %st : i32
    yield %b2
  }
  %tile = splat %t : tile<8x16xf32>
  %sum = reduce %tile {axis = 1} : tile<8xf32> {
  ^(%l: f32, %r: f32)
    %s = add %l, %r : f32
    yield %s
  }
  %max = reduce %tile {axis = 0, kind = max} : tile<16xf32>
}
)");
}

TEST(Text, LayoutsAndPlacedLevel) {
  roundTrip(R"(kernel @k() warps 4 packed 2 assumptions [0: 16, 3: 4, 5 = 1] {
  shared @partial: f32, i32 [4, 8] slot 1
  shared @tile: f16 [64]
  %x = arange {end = 1024, start = 0} : tile<1024xi32, #<4 warps, [2, 4], 1024 = r1*4 lane*32 warp*4 r0*2>>
  %y = convert %x {exchange = shuffle} : tile<1024xi32, #<4 warps, [8], 1024 = r0*8 lane/8*4 lane*8 warp*4>>
  %z = expand_dims %x {axis = 0} : tile<1x1024xi32, #<4 warps, [2, 4], 1 =, 1024 = r1*4 lane*32 warp*4 r0*2>>
  nest on #<4 warps, [2, 4], 1024 = r1*4 lane*32 warp*4 r0*2> {
    barrier {reason = "partial is read again"}
  }
  shared_store %x {buffer = 0, offset = 0, strides = [1]}
}
)");
}

TEST(Text, KernelAssumptionsAndOptions) {
  roundTrip(
      R"(kernel @k<T = "float", N = 64, M = "0x40" as 64>(%p: ptr<const bf16> restrict aligned 16 spelled "const bfloat16*", %0: u64 divisible 8 named "x y") warps 8 stages 4 programs_per_block 2 resident_threads 1024 min_blocks 2 persistent explicit_grid otherwise @k#1 on_hopper @k#1 namespace "a::b" {
}
kernel @k() warps 4 {
}
launcher @go = select @k#0, @k#1 namespace "a"
)");
}

TEST(Text, Attributes) {
  roundTrip(R"(kernel @k() warps 4 {
  %a = constant 1.5 : f32
  %a.1 = constant 3.0 : f16
  %b = constant 1e+30 : f64
  %c = constant -3 : i64
  %d = constant true : bool
  %e = constant nan : f32
  %f = constant 1e+05 : f32
  %"a.b" = constant 9223372036854775807 : i64
  %"a.b".1 = constant -9223372036854775808 : i64
  %h = hint %c {contiguity = [], divisibility = [1, -2], non_negative = true} : i64
  device_assert %d {message = ""}
  device_assert %d {message = "a b"}
  device_assert %d {message = "true"}
  device_assert %d {message = word}
  %ä = num_sms : i32
}
)");
}

TEST(Text, Locations) {
  roundTrip(R"(files "a.cpp", "dir/b.h"
kernel @k() warps 4 comment "what\nit does" loc(0:3:1) {
  statement "auto x = 1;" comment "one" loc(0:4:3)
  %x = constant 1 : i32 loc(0:4:12 #0)
  %y = constant true : bool
  if %y loc(1:5:3) {
    return loc(1:5:9)
  }
}
launcher @k = select @k#0 comment "c" loc(0:9:1)
)",
            {.locations = true});
}

TEST(Text, LayoutNamesAndComments) {
  Module module;
  parseOrFail(R"(// RUN: nothing
#a = #<4 warps, [8], 1024 = r0*8 lane*32 warp*4>
kernel @k() warps 4 {  // a comment
  %x = arange {end = 1024, start = 0} : tile<1024xi32, #a>
}
)",
              module);
  EXPECT_EQ(toString(module.kernels.front().body.front()),
            "%x = arange {end = 1024, start = 0} : tile<1024xi32, #<4 warps, [8], 1024 = r0*8 "
            "lane*32 warp*4>>");
  EXPECT_EQ(module.kernels.front().body.front()->loc.line, 4u);
}

TEST(Text, OneOpIsNamedAsInItsKernel) {
  Module module;
  parseOrFail("kernel @k(%x: i32) warps 4 {\n %0 = neg %x : i32\n %x.1 = add %x, %0 : i32\n}",
              module);
  EXPECT_EQ(toString(module.kernels.front().body.back()), "%x.1 = add %x, %0 : i32");
}

TEST(Text, Errors) {
  EXPECT_EQ(parseError("kernel @k() warps 4 {\n  %x = frob : i32\n}"),
            "2:8: there is no operation 'frob'");
  EXPECT_EQ(parseError("kernel @k() warps 4 {\n  %x = neg %y : i32\n}"),
            "2:12: %y is not defined here");
  EXPECT_EQ(parseError("kernel @k() warps 4 {\n  %x = constant 1 : i33\n}"),
            "2:21: there is no type 'i33'");
  EXPECT_EQ(parseError("kernel @k(%x: i32) warps 4 {\n  %x = constant 1 : i32\n}"),
            "2:3: %x is already defined");
  EXPECT_EQ(parseError("kernel @k() warps 4 {\n"),
            "2:1: expected an operation, not the end of the text");
  EXPECT_EQ(parseError("kernel @k() warps four {\n}"), "1:19: expected a number, not 'four'");
  EXPECT_EQ(parseError("colonel"), "1:1: expected 'struct', 'kernel' or 'launcher', not 'colonel'");
  EXPECT_EQ(parseError("launcher @x = select @k#0"), "1:22: kernel #0 is not @k");
  EXPECT_EQ(
      parseError("kernel @k(%n: i32) warps 4 {\n  for %i = %n to %n step %n, %a = %n {\n  }\n}"),
      "2:3: a loop has one result for each carried value");
  EXPECT_EQ(parseError("kernel @k(%c: bool) warps 4 {\n  if %c {\n %x = neg %c : i32\n }\n %y = "
                       "neg %x : i32\n}"),
            "5:11: %x is not defined here");
  EXPECT_EQ(parseError(
                "kernel @k() warps 4 {\n  %x = arange : tile<4xi32, #<4 warps, [4], 4 = r1*4>>\n}"),
            "2:53: the layout has no register axis 1");
  EXPECT_EQ(parseError("kernel @k() warps 4 {\n  %x = program_id {axes = 0} : i64\n}"),
            "2:20: there is no attribute 'axes'");
  EXPECT_EQ(parseError("kernel @k() warps 4 {\n  %x = program_id {axis = x} : i64\n}"),
            "2:27: the value of 'axis' has to be an integer");
  EXPECT_EQ(
      parseError("kernel @k(%x: i64) warps 4 {\n  %y = hint %x {divisibility = true} : i64\n}"),
      "2:32: the value of 'divisibility' has to be an integer or a list of integers");
  EXPECT_EQ(parseError("kernel @k(%x: f32) warps 4 {\n  %y = cast %x {rounding = up} : i32\n}"),
            "2:28: the value of 'rounding' has to be one of rn, rtz, ru, rd");
  EXPECT_EQ(parseError("kernel @k(%x: f32) warps 4 {\n  %y = cast %x {rounding = 1} : i32\n}"),
            "2:28: the value of 'rounding' has to be one of rn, rtz, ru, rd");
}

}  // namespace
}  // namespace tile2cu::ir
