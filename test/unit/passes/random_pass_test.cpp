// Passes keep what random kernels do; and their text can be read back.
#include "passes/ir/verify/verify.h"
#include "passes/passes.h"
#include "test/unit/passes/ir_text.h"
#include "test/unit/passes/random_kernel.h"

namespace tile2cu::passes {
namespace {

using PassList = std::vector<llvm::LogicalResult (*)(ir::Module &, PassContext &)>;

bool sameMemory(const std::map<int64_t, Const> &a, const std::map<int64_t, Const> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](auto &x, auto &y) {
    return x.first == y.first && x.second.integer == y.second.integer;
  });
}

size_t count(ir::Module &module) {
  size_t ops = 0;
  ir::walk(module.kernels.front().body, [&](ir::Op *) { ++ops; });
  return ops;
}

// Every operation knows its place in the source, and one that was there before has its name still, but for ranges: two that
// become one have none if they had different ones.
std::string findLoss(ir::Module &original, ir::Module &changed) {
  std::map<unsigned, ir::Op *> byLine;
  ir::walk(original.kernels.front().body, [&](ir::Op *op) { byLine[op->loc.line] = op; });
  std::string lost;
  ir::walk(changed.kernels.front().body, [&](ir::Op *op) {
    if (op->loc.line == 0) lost = "no location: " + ir::toString(op);
    auto it = byLine.find(op->loc.line);
    if (it == byLine.end() || it->second->kind != op->kind ||
        op->numResults() != it->second->numResults())
      return;
    for (unsigned i = 0; i < op->numResults(); ++i)
      if (op->kind != ir::OpKind::Arange && op->result(i)->name.empty() &&
          !it->second->result(i)->name.empty())
        lost = "no name: " + ir::toString(op);
  });
  return lost;
}

void check(const PassList &passes, unsigned firstSeed, unsigned seeds) {
  int defined = 0;
  size_t before = 0, after = 0;
  for (unsigned seed = firstSeed; seed < firstSeed + seeds; ++seed) {
    std::mt19937 random(seed);
    ir::Module made, original, changed;
    test::makeRandomKernel(random, {}, made);
    std::string text = ir::toString(made);
    test::parseOrFail(text, original);  // gives every operation the line it stands in
    test::parseOrFail(text, changed);
    ASSERT_EQ(ir::toString(changed), text);
    ir::Diagnostics diagnostics;
    for (auto pass : passes) {
      PassContext context{diagnostics};
      ASSERT_TRUE(succeeded(pass(changed, context)));
      auto violation = ir::findViolation(changed, ir::Level::Tile);
      ASSERT_FALSE(violation) << "seed " << seed << ": " << violation->message << "\n"
                              << (violation->op ? ir::toString(violation->op) : "") << "\n"
                              << text << "\n"
                              << ir::toString(changed);
    }
    ASSERT_EQ(findLoss(original, changed), "") << "seed " << seed << "\n"
                                               << text << "\n"
                                               << ir::toString(changed);
    before += count(original);
    after += count(changed);
    for (int round = 0; round < 4; ++round) {
      test::RandomInput input = test::makeRandomInput(random);
      test::Evaluator first, second;
      first.memory = second.memory = input.memory;
      second.speculates = true;
      if (!first.run(original.kernels.front(), input.arguments)) continue;
      ++defined;
      bool ok = second.run(changed.kernels.front(), input.arguments);
      ASSERT_TRUE(ok && sameMemory(first.memory, second.memory))
          << "seed " << seed << (ok ? ": memory differs" : ": now undefined") << "\n"
          << text << "\n"
          << ir::toString(changed);
    }
  }
  EXPECT_GT(defined, static_cast<int>(seeds));
  EXPECT_LT(after, before + before / 4);
}

TEST(RandomPasses, Canonicalize) { check({canonicalize}, 0, 500); }
TEST(RandomPasses, CseDce) { check({cse_dce}, 10000, 500); }
TEST(RandomPasses, HoistInvariants) { check({hoist_invariants}, 20000, 500); }
TEST(RandomPasses, InlineMaps) { check({inline_maps}, 30000, 500); }
TEST(RandomPasses, Together) {
  check({inline_maps, canonicalize, cse_dce, hoist_invariants, cse_dce, canonicalize}, 40000, 500);
}

}  // namespace
}  // namespace tile2cu::passes
