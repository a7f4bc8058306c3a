#include "passes/target.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/module.h"
#include "passes/pass_context.h"

namespace tile2cu::passes {

std::string Target::name() const {
  return "sm_" + std::to_string(sm) + (archSpecific ? "a" : familySpecific ? "f" : "");
}

std::optional<Target> parseTarget(llvm::StringRef text) {
  constexpr int kKnown[] = {75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};
  if (!text.consume_front("sm_")) text.consume_front("compute_");
  if (!text.consume_back("-real")) text.consume_back("-virtual");
  Target target;
  target.archSpecific = text.consume_back("a");
  if (!target.archSpecific) target.familySpecific = text.consume_back("f");
  if (text.getAsInteger(10, target.sm) || !llvm::is_contained(kKnown, target.sm))
    return std::nullopt;
  if (target.archSpecific && target.sm < 90) return std::nullopt;
  if (target.familySpecific && target.sm < 100) return std::nullopt;
  return target;
}

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
