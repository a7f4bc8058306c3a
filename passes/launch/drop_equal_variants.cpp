#include "passes/launch/drop_equal_variants.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/equality.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult drop_equal_variants(Module &module, PassContext &context) {
  std::set<const Kernel *> dropped;
  // Variants come after the kernel that they are variants of; the last of them takes all arguments.
  for (Kernel &kernel : llvm::reverse(module.kernels)) {
    const Kernel *variant = kernel.scalarVariant;
    if (!variant || !variant->assumptions.empty() || !areEqual(kernel, *variant)) continue;
    dropped.insert(variant);
    kernel.scalarVariant = nullptr;
    kernel.assumptions = {};
    // The launcher has no checks any more, so the remarks about them go.
    llvm::erase_if(context.diagnostics.decisions, [&](const Decision &decision) {
      return decision.kernel == &kernel &&
             (decision.id == DiagId::LauncherAssumptions || decision.id == DiagId::StrideVariants);
    });
  }
  module.kernels.remove_if([&](const Kernel &kernel) { return dropped.count(&kernel) != 0; });
  return llvm::success();
}

}  // namespace tile2cu::passes
