#include "passes/launch/drop_unreachable_candidates.h"

#include <set>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::passes {
using namespace ir;

static bool takesAll(const Kernel *kernel) {
  return llvm::none_of(kernel->body.ops,
                       [](const auto &op) { return op->kind == OpKind::Require; });
}

llvm::LogicalResult drop_unreachable_candidates(Module &module, PassContext &context) {
  std::set<const Kernel *> dropped, taken;
  for (Launcher &launcher : module.launchers) {
    auto &candidates = launcher.candidates;
    const auto last = launcher.tuning ? candidates.end() : llvm::find_if(candidates, takesAll);
    if (last != candidates.end() && last + 1 != candidates.end()) {
      const size_t count = last + 1 - candidates.begin();
      context.diagnostics.report(
          DiagId::CandidateUnreachable, launcher.loc,
          {launcher.name, std::to_string(count),
           count + 1 == candidates.size() ? fmt::format("candidate {} is", count + 1)
                                          : "those after it are"});
      dropped.insert(last + 1, candidates.end());
      candidates.erase(last + 1, candidates.end());
    }
    taken.insert(candidates.begin(), candidates.end());
  }
  module.kernels.remove_if([&](const Kernel &kernel) {
    return dropped.count(&kernel) != 0 && taken.count(&kernel) == 0;
  });
  return llvm::success();
}

}  // namespace tile2cu::passes
