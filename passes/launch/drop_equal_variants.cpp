#include "passes/launch/drop_equal_variants.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/equality.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult drop_equal_variants(Module &module, PassContext &context) {
  std::set<const Kernel *> dropped;
  for (Kernel &kernel : module.kernels) {
    if (!kernel.scalarVariant || !areEqual(kernel, *kernel.scalarVariant)) continue;
    dropped.insert(kernel.scalarVariant);
    kernel.scalarVariant = nullptr;
    kernel.assumptions = {};
    // The launcher has no checks any more, so the remark about them goes.
    llvm::erase_if(context.diagnostics.decisions, [&](const Decision &decision) {
      return decision.kernel == &kernel && decision.id == DiagId::LauncherAssumptions;
    });
  }
  module.kernels.remove_if([&](const Kernel &kernel) { return dropped.count(&kernel) != 0; });
  return llvm::success();
}

}  // namespace tile2cu::passes
