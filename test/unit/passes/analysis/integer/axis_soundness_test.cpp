// The results of axis_info and integers hold for random kernels and random arguments that satisfy the promises.
#include <numeric>

#include "passes/analysis/integer/axis_rules.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/text/print.h"
#include "passes/ir/verify/verify.h"
#include "test/unit/passes/ir_text.h"
#include "test/unit/passes/random_kernel.h"

namespace tile2cu::passes {
namespace {

using test::Tile;

// Returns what is wrong about `info` for these elements, or an empty string.
std::string refute(const ir::Type &type, const AxisInfo &info, const Tile &tile) {
  bool isReal = !type.isPointer() && ir::isFloat(type.scalar());
  int64_t unit = unitOf(type);
  ir::Shape shape = type.shape();
  if (shape.empty()) shape = {1};
  auto same = [](const Const &a, const Const &b) {
    return a.integer == b.integer && a.real == b.real;
  };
  for (const Const &element : tile) {
    if (info.constant && !isReal && element.integer != *info.constant) return "constant";
  }
  int64_t stride = 1;
  for (unsigned d = shape.size(); d-- > 0;) {
    for (size_t i = 0; i < tile.size(); ++i) {
      int64_t at = static_cast<int64_t>(i) / stride % shape[d];
      if (shape[d] % info.contiguity[d] != 0) return "contiguity does not divide the extent";
      if (shape[d] % info.constancy[d] != 0) return "constancy does not divide the extent";
      int64_t run = at % info.contiguity[d], equal = at % info.constancy[d];
      if (run == 0 && !isReal && tile[i].integer % info.divisibility[d] != 0) return "divisibility";
      if (run > 0 && tile[i].integer != tile[i - run * stride].integer + run * unit)
        return "contiguity";
      if (equal > 0 && !same(tile[i], tile[i - equal * stride])) return "constancy";
    }
    stride *= shape[d];
  }
  return "";
}

// The same of the range of integers.
std::string refuteRange(const ir::Type &type, const Integers &integers, const ir::Value *value,
                        const Tile &tile) {
  if (type.isPointer() || ir::isFloat(type.scalar())) return "";
  const auto range = integers.rangeOf(value);
  for (const Const &element : tile) {
    const bool isLarge = type.scalar() == ir::Scalar::U64 && element.integer < 0;  // 2^63 or more
    if (range && (isLarge || element.integer < range->low || element.integer > range->high))
      return "range " + std::to_string(range->low) + " to " + std::to_string(range->high);
  }
  return "";
}

// Checks the information about all values of random kernels; returns how many runs were defined.
int checkRandomKernels(unsigned seeds, const test::RandomOptions &options) {
  int defined = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    ir::Module module;
    test::makeRandomKernel(random, options, module);
    auto violation = ir::findViolation(module, ir::Level::Tile);
    EXPECT_FALSE(violation) << violation->message << "\n"
                            << (violation->op ? ir::toString(violation->op) : "");
    ir::Kernel &kernel = module.kernels.front();
    AxisAnalysis analysis(kernel, {});
    const Integers nothing(Assume::Nothing), launched(Assume::Launched);
    for (int round = 0; round < 4; ++round) {
      test::RandomInput input = test::makeRandomInput(random);
      test::Evaluator evaluator;
      evaluator.memory = input.memory;
      std::string wrong;
      evaluator.observe = [&](const ir::Value *value, const Tile &tile) {
        if (!wrong.empty()) return;
        std::string why = refute(value->type, analysis.of(value), tile);
        for (const Integers *integers : {&nothing, &launched})
          if (why.empty()) why = refuteRange(value->type, *integers, value, tile);
        if (why.empty()) return;
        wrong = why + " of %" + value->name + ": " + analysis.of(value).str();
        if (value->definition) wrong += "\n" + ir::toString(value->definition);
        for (const Const &element : tile) wrong += " " + std::to_string(element.integer);
      };
      defined += evaluator.run(kernel, input.arguments);
      EXPECT_EQ(wrong, "") << "seed " << seed << "\n" << ir::toString(module);
      if (!wrong.empty()) return defined;
    }
  }
  return defined;
}

TEST(AxisSoundness, RandomKernels) { EXPECT_GT(checkRandomKernels(1500, {}), 3000); }

// Numbers that start again within a tile.
TEST(AxisSoundness, NarrowTypes) {
  EXPECT_GT(
      checkRandomKernels(600, {.operations = 20, .memory = false, .maps = false, .narrow = true}),
      600);
}

}  // namespace
}  // namespace tile2cu::passes
