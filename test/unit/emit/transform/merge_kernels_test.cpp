// merge_kernels: which kernels share a text where some have rows that take all threads, and how
// often each is lowered for that.
#include "emit/transform/merge_kernels.h"

#include <map>

#include "emit/cuda/printer.h"
#include "test/unit/passes/ir_text.h"

namespace tile2cu::emit {
namespace {

// A launcher whose candidates are `count` kernels, each with rows of 128 threads.
void parseCandidates(ir::Module &module, int count) {
  std::string text = "level thread\n";
  for (int i = 0; i < count; ++i)
    text +=
        "kernel @k() warps 4 {\n"
        "  %x = undefined : tile<8 x 512:K x f32, #<4 warps, [8, 1, 4], 8 = r0*8, "
        "512:K = r2*4 lane*32 warp*4>>\n"
        "}\n";
  test::parseOrFail(text, module);
  ir::Launcher launcher;
  launcher.name = "k";
  for (ir::Kernel &kernel : module.kernels) launcher.candidates.push_back(&kernel);
  module.launchers.push_back(std::move(launcher));
}

KernelText textOf(const std::string &function) {
  KernelText text;
  text.body = {evaluate(call(function, {}))};
  return text;
}

bool dividesFullRows(const passes::UnitAxes &unitAxes) {
  return !unitAxes.containFullRow(ir::Dim(128), true);
}

TEST(MergeKernels, LowersEachKernelTwiceAtMost) {
  ir::Module module;
  parseCandidates(module, 8);
  std::map<const ir::Kernel *, int> numbers, counts;
  for (const ir::Kernel &kernel : module.kernels) numbers.emplace(&kernel, numbers.size());
  const auto groups =
      groupKernels(module, [&](const ir::Kernel &kernel, const passes::UnitAxes &unitAxes) {
        ++counts[&kernel];
        // All are different, in both forms.
        return textOf("f" + std::to_string(numbers[&kernel]) +
                      (dividesFullRows(unitAxes) ? "_divided" : ""));
      });
  EXPECT_EQ(groups.size(), 8u);
  for (const auto &[kernel, times] : counts) EXPECT_EQ(times, 2);
}

TEST(MergeKernels, JoinsByRows) {
  ir::Module module;
  parseCandidates(module, 4);
  int count = 0;
  // The rows of all but the third are the same where they are divided.
  const auto groups =
      groupKernels(module, [&](const ir::Kernel &kernel, const passes::UnitAxes &unitAxes) {
        ++count;
        const bool isThird = &kernel == &*std::next(module.kernels.begin(), 2);
        if (dividesFullRows(unitAxes)) return textOf(isThird ? "other" : "divided");
        return textOf("f" + std::to_string(count));
      });
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].instances.size(), 3u);
  EXPECT_TRUE(groups[0].dividesFullRows);
  for (const KernelInstance &each : groups[0].instances) {
    EXPECT_EQ(textOf(each.text.body).find("__builtin_assume(threadIdx.x < NUM_THREADS);"), 0u);
    EXPECT_EQ(each.text.body.back(), textOf("divided").body.back());
  }
  EXPECT_FALSE(groups[1].dividesFullRows);
  EXPECT_EQ(groups[1].text().body.size(), 1u);
  EXPECT_EQ(count, 8);
}

}  // namespace
}  // namespace tile2cu::emit
