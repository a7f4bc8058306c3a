#include "passes/launch/drop_unreachable_candidates.h"

#include <set>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/equality.h"

namespace tile2cu::passes {
using namespace ir;

static auto requirementsOf(const Kernel &kernel) {
  return llvm::make_filter_range(kernel.body.ops,
                                 [](const auto &op) { return op->kind == OpKind::Require; });
}

// Whether the later candidate asks for everything that the earlier one asks for.
static bool isUnreachable(const Kernel *later, const Kernel *earlier) {
  return llvm::all_of(requirementsOf(*earlier), [&](const auto &need) {
    return llvm::any_of(requirementsOf(*later), [&](const auto &own) {
      return Equality().computed(need->operand(0), own->operand(0));
    });
  });
}

// candidates 2, 3
static std::string listOf(llvm::ArrayRef<size_t> numbers) {
  return fmt::format("candidate{} {}", numbers.size() > 1 ? "s" : "", fmt::join(numbers, ", "));
}

llvm::LogicalResult drop_unreachable_candidates(Module &module, PassContext &context) {
  std::set<const Kernel *> dropped, taken;
  for (Launcher &launcher : module.launchers) {
    const std::vector<Kernel *> all = launcher.candidates;
    std::vector<bool> isTaken(all.size(), true);
    for (size_t i = 0; !launcher.tuning && i < all.size(); ++i) {
      if (!isTaken[i]) continue;
      std::vector<size_t> numbers;  // of those that it hides
      for (size_t j = i + 1; j < all.size(); ++j) {
        if (!isTaken[j] || !isUnreachable(all[j], all[i])) continue;
        isTaken[j] = false;
        numbers.push_back(j + 1);
        dropped.insert(all[j]);
      }
      if (!numbers.empty())
        context.diagnostics.report(DiagId::CandidateUnreachable, launcher.loc,
                                   {launcher.name, std::to_string(i + 1), listOf(numbers)});
    }
    launcher.candidates.clear();
    for (size_t i = 0; i < all.size(); ++i)
      if (isTaken[i]) launcher.candidates.push_back(all[i]);
    taken.insert(launcher.candidates.begin(), launcher.candidates.end());
  }
  module.kernels.remove_if([&](const Kernel &kernel) {
    return dropped.count(&kernel) != 0 && taken.count(&kernel) == 0;
  });
  return llvm::success();
}

}  // namespace tile2cu::passes
