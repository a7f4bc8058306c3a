#include "passes/pass_context.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

bool PassContext::mixesHopper() const {
  auto isHopper = [](const Target &target) { return target.isHopper(); };
  return llvm::any_of(targets, isHopper) && !llvm::all_of(targets, isHopper);
}

std::vector<Target> PassContext::targetsOf(const ir::Kernel &kernel) const {
  if (!mixesHopper()) return targets;
  std::vector<Target> result;
  llvm::copy_if(targets, std::back_inserter(result),
                [&](const Target &target) { return target.isHopper() == kernel.forHopper; });
  return result;
}

}  // namespace tile2cu::passes
