#include "passes/launch/choose_residency.h"

#include <algorithm>

#include "fmt/format.h"
#include "passes/analysis/memory/shared_usage.h"
#include "passes/analysis/value/register_pressure.h"
#include "passes/ir/layout.h"
#include "passes/ir/walk.h"
#include "passes/target/occupancy.h"
#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

constexpr int kAllThreads = 1024, kHalf = kAllThreads / 2, kQuarter = kAllThreads / 4;

// The most elements of a tile that a thread holds.
int64_t elementsPerThread(const Kernel &kernel) {
  int64_t most = 1;
  walk(kernel.body, [&](const Op *op) {
    if (op->kind == OpKind::Nest) most = std::max(most, op->layout->elementsPerThread());
  });
  return most;
}

// The widest access of the kernel, in elements.
int64_t widestAccess(const Kernel &kernel) {
  int64_t widest = 1;
  walk(kernel.body, [&](const Op *op) {
    if (op->kind == OpKind::Load || op->kind == OpKind::Store)
      widest = std::max(widest, op->getInt(Attr::vector, 1));
  });
  return widest;
}

bool hasDot(const Kernel &kernel) {
  bool found = false;
  walk(kernel.body, [&](const Op *op) { found |= op->kind == OpKind::DotShared; });
  return found;
}

// Tiles that are live together beyond what a thread has would go to local memory.
int byDefault(Kernel &kernel) {
  const int64_t live = liveRegisters(kernel);
  if (live > tunables().residency_quarter_registers) return kQuarter;
  const bool isHeavy = live > tunables().residency_half_registers ||
                       elementsPerThread(kernel) >= tunables().residency_half_elements ||
                       widestAccess(kernel) == 1;
  return isHeavy ? kHalf : kAllThreads;
}

// `asked`: what the user asked for; 0: nothing.
void explain(const Kernel &kernel, int asked, bool hasDots, PassContext &context) {
  const Options &options = kernel.options;
  const int64_t threads = blockThreads(kernel);
  const int64_t shared = sharedBytes(kernel) * (kernel.packed() ? kernel.programsPerBlock : 1);
  const int64_t blocks = blocksAtATime(kernel);
  const char *const why =
      options.minBlocks ? "min_blocks says so"
      : asked           ? "resident_threads says so"
      : options.residentThreads < kAllThreads
          ? "by default, fewer where a thread holds much or no access is a vector"
          : "by default";
  std::string registers = fmt::format("registers for {} resident threads on a multiprocessor ({})",
                                      blocks * threads, why);
  if (hasDots && !options.minBlocks && !asked) registers = "as many registers as its dots take";
  context.diagnostics.decided(DiagId::KernelResources, kernel, kernel.loc,
                              {std::to_string(threads), std::to_string(shared), registers});
}

}  // namespace

llvm::LogicalResult choose_residency(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    const bool hasDots = hasDot(kernel);
    const int asked = kernel.options.residentThreads;
    if (!asked && !hasDots) kernel.options.residentThreads = byDefault(kernel);
    explain(kernel, asked, hasDots, context);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
