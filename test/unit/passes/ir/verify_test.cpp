// verify: every rule has a module that breaks it.
#include "passes/ir/verify/verify.h"

#include "passes/ir/builder.h"
#include "test/unit/passes/ir_text.h"

namespace tile2cu::ir {
namespace {

using test::kernelText;
using test::parseOrFail;

// The message for a kernel that parse refuses.
std::string refused(llvm::StringRef parameters, llvm::StringRef body) {
  Module module;
  Diagnostics diagnostics;
  if (succeeded(parse(kernelText(parameters, body), "bad.t2ir", module, diagnostics)))
    return "accepted";
  return diagnostics.all[0].message;
}

std::string violation(llvm::StringRef body, Level level) {
  Module module;
  parseOrFail(kernelText("%n: i32, %p: ptr<f32>", body), module);
  auto found = findViolation(module, level);
  return found ? found->message : "";
}

TEST(Verify, CudaEffect) {
  const auto effect = [](const std::string &operands, const std::string &names,
                         const std::string &rest = "", const std::string &result = "") {
    return refused("%p: ptr<f32>, %q: ptr<const f32>, %x: f32, %b: bool, %f: f8e4m3",
                   "%t = splat %x : tile<8xf32>\n" + std::string(result.empty() ? "" : "%r = ") +
                       "cuda_effect " + operands + " {callee = \"\", parameters = \"" + names +
                       "\", reference = \"\", text = \"\"" + rest + "}" + result + "\n");
  };
  EXPECT_EQ(effect("%p, _, %x", "p, x", ", writes = [0]", " : i32"), "accepted");
  EXPECT_EQ(effect("%x, %b", "x"), "accepted");
  EXPECT_EQ(effect("%t, _, %t", "x, y", "", " : tile<8xbool>"), "accepted");
  EXPECT_EQ(effect("%p, _, %x", "p"), "expects a name for each operand");
  EXPECT_EQ(effect("%p, _, %t", "p, x"), "the operands have different shapes");
  EXPECT_EQ(effect("%x, _, %f", "x, f"), "expects elements that CUDA computes with");
  EXPECT_EQ(effect("%x, %x", "x"), "the mask does not fit the operands");
  EXPECT_EQ(effect("%t, %b", "x"), "the mask does not fit the operands");
  EXPECT_EQ(effect("%t", "x", "", " : f32"), "the result has another shape than the operands");
  EXPECT_EQ(effect("%p", "p", "", " : ptr<f32>"), "returns elements that CUDA computes with");
  EXPECT_EQ(effect("%p, _, %x", "p, x", ", writes = [1]"),
            "may write through operands only that are pointers");
  EXPECT_EQ(effect("%p, _, %x", "p, x", ", writes = [2]"),
            "may write through operands only that are pointers");
  EXPECT_EQ(effect("%p, _, %q", "p, q", ", writes = [1]"), "writes through a pointer to const");
}

// Warps decide one by one.
TEST(Verify, Votes) {
  auto with = [&](const char *inside, const char *condition = "%c") {
    return refused(
        "%p: ptr<f32>, %n: f32",
        std::string("%x = splat %n : tile<128xf32, #<4 warps, [], 128 = lane*32 warp*4>>\n"
                    "%c = lt %x, %x : tile<128xbool, #<4 warps, [], 128 = lane*32 "
                    "warp*4>>\n"
                    "%any = vote_any ") +
            condition + " : bool\nif %any {\n" + inside + "}\n");
  };
  EXPECT_EQ(with("%y = exp %x : tile<128xf32, #<4 warps, [], 128 = lane*32 warp*4>>\n"),
            "accepted");
  EXPECT_EQ(with("", "%n"), "expects a bool tile");
  const char *meets = "a branch on a vote synchronizes warps or accesses memory";
  EXPECT_EQ(with("barrier {reason = x}\n"), meets);
  EXPECT_EQ(with("store %p, %n\n"), meets);
  EXPECT_EQ(with("%s = reduce_across %x {axis = 0, buffer = 0, kind = max} : f32\n"), meets);
  EXPECT_EQ(with("%k = constant 1 : i32\nfor %i = %k to %k step %k {compare = lt} {\n}\n"), meets);
  EXPECT_EQ(refused("%n: f32",
                    "%x = splat %n : tile<8xf32>\n%c = lt %x, %x : tile<8xbool>\n"
                    "%any = vote_any %c : bool\n%no = not %any : bool\n"),
            "only a branch may read a vote");
}

TEST(Verify, Operands) {
  EXPECT_EQ(refused("%a: i32", "%x = add %a : i32\n"), "operand 1 is missing");
  EXPECT_EQ(refused("%a: i32", "%x = neg %a, %a : i32\n"), "too many operands");
  EXPECT_EQ(refused("%p: ptr<f32>", "store %p, _\n"), "operand 1 is missing");
  EXPECT_EQ(refused("%p: ptr<f32>, %x: f32", "store %p, %x\n"), "accepted");
}

TEST(Verify, Attributes) {
  EXPECT_EQ(refused("", "%x = program_id : i64\n"), "lacks the attribute 'axis'");
  EXPECT_EQ(refused("%a: i32", "%x = neg %a {axis = 0} : i32\n"),
            "does not take the attribute 'axis'");
  EXPECT_EQ(refused("%a: i32", "%x = neg %a {materialized = true} : i32\n"), "accepted");
  EXPECT_EQ(refused("", "%x = num_sms {materialized = true} : i32\n"),
            "does not take the attribute 'materialized'");
  EXPECT_EQ(refused("%a: i64", "%x = sub %a, %a {saturates = true} : i64\n"), "accepted");
  EXPECT_EQ(refused("%a: i64", "%x = add %a, %a {saturates = true} : i64\n"),
            "does not take the attribute 'saturates'");
}

TEST(Verify, PointerConstants) {
  EXPECT_EQ(refused("", "%p = constant 0 : ptr<f32>\n"), "accepted");
  EXPECT_EQ(refused("", "%p = constant 8 : ptr<f32>\n"), "a pointer constant is not null");
  const std::string table = "%p = table {elements = [1, 2], symbol = \"t\"} : ";
  EXPECT_EQ(refused("", table + "ptr<const i32>\n"), "accepted");
  EXPECT_EQ(refused("", table + "ptr<i32>\n"), "returns one pointer to constants");
  EXPECT_EQ(refused("", table + "i32\n"), "returns one pointer to constants");
}

TEST(Verify, Words) {
  const char *all = "%p: ptr<f32>, %n: i32";
  EXPECT_EQ(refused(all, "%x = load %p {cache = cg} : f32\nstore %p, %x {cache = wt}\n"),
            "accepted");
  EXPECT_EQ(refused(all, "%x = load %p {cache = wt} : f32\n"),
            "does not have the cache operator wt");
  EXPECT_EQ(refused(all, "%x = load %p : f32\nstore %p, %x {cache = cv}\n"),
            "does not have the cache operator cv");
  EXPECT_EQ(
      refused(all,
              "%x = load %p : f32\n%o = atomic %p, %x {fences = relaxed, update = add} : f32\n"),
      "a relaxed atomic has no `fences`");
  const auto atomic = [&](const std::string &rest) {
    return refused(all, "%x = load %p : f32\n%o = atomic %p, %x" + rest + " : f32\n");
  };
  EXPECT_EQ(atomic(", _, %x {update = cas}"), "accepted");
  EXPECT_EQ(atomic(" {update = cas}"), "only a compare-and-exchange has an expected value");
  EXPECT_EQ(atomic(", _, %x {update = max}"), "only a compare-and-exchange has an expected value");
  EXPECT_EQ(atomic(", _, %n {update = cas}"), "the expected value does not fit the pointers");
  EXPECT_EQ(atomic(" {update = or}"), "updates floats by an operation of integers");
  EXPECT_EQ(atomic(" {update = load}"), "every atomic but a load has a value");
  EXPECT_EQ(refused(all, "%o = atomic %p {update = max} : f32\n"),
            "every atomic but a load has a value");
  EXPECT_EQ(refused(all, "%o = atomic %p {memory_order = release, update = load} : f32\n"),
            "an atomic load acquires at most, and a store releases");
  EXPECT_EQ(atomic(" {fences = acq_rel, update = store}"),
            "an atomic load acquires at most, and a store releases");
  EXPECT_EQ(refused("%p: ptr<const i32>", "%o = atomic %p {update = load} : i32\n"), "accepted");
  EXPECT_EQ(refused("%p: ptr<const i32>, %n: i32", "%o = atomic %p, %n {update = store} : i32\n"),
            "writes through a pointer to const");
  EXPECT_EQ(
      refused("%p: ptr<i32>, %n: i32", "%o = atomic %p, %n {update = store} : i32\nstore %p, %o\n"),
      "the result of an atomic store is used");
  EXPECT_EQ(refused("%p: ptr<i8>, %n: i8", "%o = atomic %p, %n {update = max} : i8\n"),
            "updates elements of 8 bits");
  EXPECT_EQ(
      refused("%p: ptr<i8>, %x: f32, %i: i64", "device_print %p, _, %i, %i, %x {message = p}\n"),
      "a program id is not an integer");
  EXPECT_EQ(refused(all, "for %i = %n to %n step %n {compare = eq} {\n}\n"),
            "a loop does not compare by eq");
}

// A branch whose text is one with that of the loop after it.
TEST(Verify, WithLoop) {
  const auto with = [](const std::string &between, const std::string &init) {
    return refused(
        "%p: ptr<f32>, %n: i32, %c: bool, %z: f32",
        "%first = if %c {with_loop = true} : f32 {\n%e = exp %z : f32\nyield %e\n} else {\n"
        "%u = undefined : f32\nyield %u\n}\n" +
            between + "%last = for %i = %n to %n step %n, %x = " + init +
            " {compare = lt} : f32 {\nyield %x\n}\n");
  };
  const char *broken =
      "`with_loop` needs a loop that takes the result, with only computation in between";
  EXPECT_EQ(with("", "%first"), "accepted");
  EXPECT_EQ(with("%m = add %n, %n : i32\n", "%first"), "accepted");
  EXPECT_EQ(with("store %p, %z\n", "%first"), broken);
  EXPECT_EQ(with("", "%z"), broken);
}

TEST(Verify, AttributeLevels) {
  EXPECT_EQ(violation("%x = load %p {vector = 4} : f32\n", Level::Tile),
            "has the attribute 'vector', which is of level placed");
  EXPECT_EQ(violation("%x = load %p {vector = 4} : f32\n", Level::Placed), "");
  const char *atomic =
      "%x = load %p : f32\n%o = atomic %p, %x {fences = acquire, update = add} : f32\n";
  EXPECT_EQ(violation(atomic, Level::Placed),
            "has the attribute 'fences', which is of level thread");
  EXPECT_EQ(violation(atomic, Level::Thread), "");
}

TEST(Verify, TensorCopies) {
  const char *all = "%a: ptr<f16>, %n: i64, %i: i32";
  const std::string map =
      "%m = tensor_map %a, %n, %n, %n {box = [64, 64], parameter = 0, rank = 2} : u64\n";
  EXPECT_EQ(refused(all, map), "accepted");
  EXPECT_EQ(refused(all,
                    "%m = tensor_map %a, %n, %n {box = [64, 64], parameter = 0, rank = 2} : "
                    "u64\n"),
            "expects the array, an extent for each dimension, and a stride for each but the "
            "contiguous one");
  EXPECT_EQ(refused(all,
                    "%m = tensor_map %a, %n, %n, %n {box = [64], parameter = 0, rank = 2} : "
                    "u64\n"),
            "the box needs one size for each dimension of the array");
  EXPECT_EQ(refused(all,
                    "%m = tensor_map %n, %n, %n, %n {box = [64, 64], parameter = 0, rank = 2} "
                    ": u64\n"),
            "the array is not a pointer");
  EXPECT_EQ(refused(all, map + "%x = tensor_load %m, %i {contiguous_dim = 1} : tile<64x64xf16>\n"),
            "expects one start for each of the 2 dimensions of its map");
  EXPECT_EQ(
      refused(all, map + "%x = tensor_load %n, %i, %i {contiguous_dim = 1} : tile<64x64xf16>\n"),
      "the first operand is not a tensor map");
  EXPECT_EQ(
      refused(all, map + "%x = tensor_load %m, %i, %a {contiguous_dim = 1} : tile<64x64xf16>\n"),
      "the starts are scalar integers");
  EXPECT_EQ(refused(all, map + "tma_load %m, %a, %i, %i {buffer = 0, ring = 0}\n"),
            "the stage is not a scalar integer");
  EXPECT_EQ(refused(all, map + "tensor_store %m, %i, %i, %i {contiguous_dim = 1}\n"),
            "expects a tile to store");
  EXPECT_EQ(refused(all, map + "%x = tma_store %m, %i, %i {buffer = 0} : i32\n"),
            "expects 0 results");
}

TEST(Verify, RingsAndWaits) {
  const char *all = "%n: i64, %i: i32, %f: f32";
  EXPECT_EQ(refused(all, "%s = consumer_wait {ring = 0} : i64\n"), "the stage is an i32");
  EXPECT_EQ(refused(all, "producer_acquire {ring = 0}\n"), "expects 1 result");
  EXPECT_EQ(refused(all, "consumer_release %n {ring = 0}\n"), "the stage is an i32");
  EXPECT_EQ(refused(all, "consumer_release %i\n"), "lacks the attribute 'ring'");
  EXPECT_EQ(refused(all, "async_wait %i {buffers = [0], pending = -1}\n"),
            "the number of pending groups is negative");
  EXPECT_EQ(refused(all, "async_wait %n {buffers = [0]}\n"), "the stage is an i32");
  EXPECT_EQ(refused(all, "dot_wait {pending = 0}\n"), "expects what it waits for");
  EXPECT_EQ(refused(all, "dot_wait %f\n"), "expects accumulators, followed by stages");
  const std::string sums = "%t = splat %f : tile<8xf32>\n";
  EXPECT_EQ(refused(all, sums + "dot_wait %t\n"), "expects 1 result");
  EXPECT_EQ(refused(all, sums + "%x = dot_wait %t : tile<8xf64>\n"), "changes the type");
  EXPECT_EQ(refused(all, "local_function {id = 0, name = x}\n"), "expects one region");
  EXPECT_EQ(refused(all, "call %i {id = 3}\n"), "no local function before it has this number");
  const std::string function = "local_function {id = 3, name = x} {\n^(%s: i32)\n";
  EXPECT_EQ(refused(all, function + "call %s {id = 3}\nyield\n}\n"),
            "no local function before it has this number");
  EXPECT_EQ(refused(all, function + "yield\n}\ncall {id = 3}\n"),
            "passes another number of arguments than its local function takes");
  EXPECT_EQ(refused(all, "cluster %i, %f\n"), "expects scalar integers");
}

TEST(Verify, Elementwise) {
  EXPECT_EQ(refused("%a: i32, %b: i64", "%x = add %a, %b : i32\n"),
            "operands and result must have the same element type");
  EXPECT_EQ(refused("%a: f32", "%x = and %a, %a : f32\n"), "expects integers or bools");
  EXPECT_EQ(refused("%a: i32", "%x = exp %a : i32\n"), "expects floats");
  EXPECT_EQ(refused("%a: i32", "%x = lt %a, %a : i32\n"), "a comparison returns bool");
  EXPECT_EQ(refused("%a: i32", "%t = splat %a : tile<8xi32>\n%x = add %t, %a : tile<8xi32>\n"),
            "operand 1 has a different shape than the result");
  EXPECT_EQ(refused("%a: i32", "%x = select %a, %a, %a : i32\n"), "the condition is not a bool");
  EXPECT_EQ(refused("%a: i32", "%x = bitcast %a : f16\n"), "the types differ in width");
  EXPECT_EQ(refused("%p: ptr<f32>, %a: f32", "%x = addptr %p, %a : ptr<f32>\n"),
            "the offset is not an integer");
}

TEST(Verify, Shapes) {
  const char *t = "%a = arange {end = 32, start = 0} : tile<32xi32>\n";
  auto with = [&](const char *line) { return refused("", std::string(t) + line); };
  EXPECT_EQ(with("%x = expand_dims %a {axis = 1} : tile<1x32xi32>\n"),
            "the result's shape does not follow from the operands");
  EXPECT_EQ(with("%x = expand_dims %a {axis = 2} : tile<32x1xi32>\n"),
            "the axis is outside of the tile");
  EXPECT_EQ(with("%x = broadcast %a : tile<64xi32>\n"),
            "the result's shape does not follow from the operands");
  EXPECT_EQ(with("%x = reshape %a : tile<4x4xi32>\n"), "changes the number of elements");
  EXPECT_EQ(with("%x = permute %a {order = [1]} : tile<32xi32>\n"),
            "the order does not name each dimension");
  EXPECT_EQ(with("%x = slice %a {offsets = [16]} : tile<32xi32>\n"), "leaves the tile");
  EXPECT_EQ(with("%x = reduce %a {axis = 1, kind = sum} : i32\n"),
            "the axis is outside of the tile");
  EXPECT_EQ(with("%x = reduce %a {axis = 0, kind = sum} : tile<32xi32>\n"),
            "the result's shape does not follow from the operands");
  EXPECT_EQ(with("%x = reduce %a {axis = 0} : i32 {\n^(%l: i32, %r: i32)\n}\n"),
            "a region does not end in a terminator");
  EXPECT_EQ(with("%x = reduce %a {axis = 0} : i32 {\n^(%l: i32)\nyield %l\n}\n"),
            "the region's arguments do not fit the operands");
  EXPECT_EQ(with("%x = arange {end = 16, start = 0} : tile<32xi32>\n"),
            "start and end do not fit the shape");
  const char *ofSort =
      "returns a tile of the operand's type and one of i32, of its shape or shorter along the axis";
  EXPECT_EQ(with("%x, %y = sort %a {axis = 0} : tile<4xi32>, tile<4xi32>\n"), "accepted");
  EXPECT_EQ(with("%x, %y = sort %a {axis = 0} : tile<64xi32>, tile<64xi32>\n"), ofSort);
  EXPECT_EQ(with("%x, %y = sort %a {axis = 0} : tile<4xi32>, tile<8xi32>\n"), ofSort);
  EXPECT_EQ(with("%x, %y = sort %a {axis = 0} : tile<4xf32>, tile<4xi32>\n"), ofSort);
}

TEST(Verify, Memory) {
  EXPECT_EQ(refused("%p: ptr<const f32>, %x: f32", "store %p, %x\n"),
            "writes through a pointer to const");
  EXPECT_EQ(refused("%p: ptr<f32>, %x: f16", "store %p, %x\n"),
            "the value does not fit the pointers");
  EXPECT_EQ(refused("%p: ptr<f32>, %m: i32", "%x = load %p, %m : f32\n"),
            "the mask does not fit the pointers");
  EXPECT_EQ(refused("%p: ptr<f32>", "%x = load %p : f16\n"),
            "the result does not fit the pointers");
}

TEST(Verify, Control) {
  const char *all = "%n: i32, %c: bool, %f: f32";
  EXPECT_EQ(refused(all, "%r = for %i = %n to %n step %n, %a = %n : i32 {\nyield %n, %n\n}\n"),
            "a region yields the wrong number of values");
  EXPECT_EQ(refused(all, "%r = for %i = %n to %n step %n, %a = %n : i32 {\nyield %f\n}\n"),
            "value 0 of the region's end has the wrong type: f32");
  EXPECT_EQ(refused(all, "%r = for %i = %n to %n step %n, %a = %n : f32 {\nyield %f\n}\n"),
            "carried value 0 changes its type");
  EXPECT_EQ(refused(all, "for %i = %f to %f step %f {\n}\n"),
            "the bounds and the step must have the same scalar integer type");
  EXPECT_EQ(refused(all, "for %i = %n to %n step %n {\nreturn\n}\n"),
            "`return` is in a region that is not an `if`");
  EXPECT_EQ(refused(all, "if %n {\n}\n"), "the condition is not a scalar bool");
  EXPECT_EQ(refused(all, "%x = if %c : f32 {\nyield %f\n}\n"),
            "a region does not end in a terminator");
  EXPECT_EQ(refused(all, "if %c {\nbreak\n}\n"), "is outside of a loop");
  EXPECT_EQ(refused(all, "return\n%x = neg %n : i32\n"),
            "an operation follows the end of the block");
  EXPECT_EQ(
      refused(all,
              "%r = for %i = %n to %n step %n, %a = %n : i32 {\nif %c {\nbreak\n}\nyield %a\n}\n"),
      "passes a different number of values than the loop carries");
  EXPECT_EQ(refused(all,
                    "%r = for %i = %n to %n step %n, %a = %n : i32 {\nif %c {\ncontinue "
                    "%i\n}\nyield %a\n}\n"),
            "accepted");
}

TEST(Verify, Levels) {
  const char *bare = "%a = arange {end = 32, start = 0} : tile<32xi32>\n";
  const char *placed =
      "%a = arange {end = 32, start = 0} : tile<32xi32, #<4 warps, [1], 32 = lane*32 r0*1>>\n";
  EXPECT_EQ(violation(bare, Level::Tile), "");
  EXPECT_EQ(violation(bare, Level::Placed), "a tile has no layout");
  EXPECT_EQ(violation(placed, Level::Tile),
            "a type has a layout at level tile (text of a later level starts with 'level placed')");
  EXPECT_EQ(violation(placed, Level::Placed), "");
  EXPECT_EQ(violation("nest on #<4 warps, [1], 32 = lane*32 r0*1> {\n}\n", Level::Placed),
            "the operation is of a later level");
  auto layout = [](const std::string &text) {
    return violation("%a = arange {end = 32, start = 0} : tile<32xi32, #<" + text + ">>\n",
                     Level::Placed);
  };
  EXPECT_EQ(layout("4 warps, [2], 32 = r0*2 lane*32"), "");
  EXPECT_EQ(layout("4 warps, [2], 64 = r0*2 lane*32"),
            "a layout has a different shape than its tile");
  EXPECT_EQ(layout("4 warps, [4], 32 = r0*2 lane*32"),
            "a layout's digits do not fit its register axes");
  EXPECT_EQ(layout("4 warps, [2], 32 = lane*32"), "no digit uses a register axis");
  EXPECT_EQ(layout("4 warps, [1], 32 = lane*16 lane/8*4"),
            "a layout's lanes overlap or leave the warp");
  EXPECT_EQ(layout("4 warps, [1], 32 = lane*8 warp*8"),
            "a layout's warps overlap or leave the program");
  EXPECT_EQ(layout("8 warps, [1], 32 = lane*32"),
            "a layout has a different number of warps than the kernel");
  EXPECT_EQ(violation(std::string(placed) +
                          "%b = arange {end = 32, start = 0} : tile<32xi32, #<4 warps, [2], 32 = "
                          "r0*2 lane*16>>\n"
                          "%c = add %a, %b : tile<32xi32, #<4 warps, [1], 32 = lane*32>>\n",
                      Level::Placed),
            "tiles of different layouts are combined");
  EXPECT_EQ(violation(std::string(placed) + "%b = expand_dims %a {axis = 0} : tile<1x32xi32, #<4 "
                                            "warps, [2], 1 =, 32 = r0*2 lane*16>>\n",
                      Level::Placed),
            "expand_dims moves data");
}

TEST(Verify, Structure) {
  Module module;
  parseOrFail(kernelText("%n: i32", "%a = neg %n : i32\n%b = neg %a : i32\n%c = neg %b : i32\n"),
              module);
  Block &body = module.kernels.front().body;
  EXPECT_FALSE(findViolation(module, Level::Tile));
  body.back()->moveBefore(body.front());
  EXPECT_EQ(findViolation(module, Level::Tile)->message, "operand 0 is not defined before its use");
  body.front()->moveAfter(body.back());
  EXPECT_FALSE(findViolation(module, Level::Tile));
  body.argument(0)->users.push_back(body.back());
  EXPECT_EQ(findViolation(module, Level::Tile)->message, "the list of users of %n is wrong");
  body.argument(0)->users.pop_back();
  module.kernels.front().parameters.pop_back();
  EXPECT_EQ(findViolation(module, Level::Tile)->message,
            "@k does not have one argument for each parameter");
}

}  // namespace
}  // namespace tile2cu::ir
