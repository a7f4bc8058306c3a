#include "passes/launch/drop_unused_variants.h"

#include <map>

#include "llvm/ADT/StringRef.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

bool usesWarpgroups(Kernel &kernel) {
  bool found = false;
  walk(kernel.body, [&](Op *op) { found |= op->has(Attr::group_columns); });
  return found;
}

bool isSamePlace(const Location &a, const Location &b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

// The reasons why the dots of the variant are not wgmmas are reported for the kernel itself, if its
// dots are done in the same way.
void keepReasons(std::vector<Decision> &decisions,
                 const std::map<const Kernel *, Kernel *> &dropped) {
  for (const Decision &reason : decisions) {
    auto it = dropped.find(reason.kernel);
    if (it == dropped.end() || reason.id != DiagId::DotWithMma) continue;
    for (Decision &own : decisions)
      if (own.kernel == it->second && own.id == reason.id && isSamePlace(own.loc, reason.loc) &&
          llvm::StringRef(reason.message).starts_with(own.message))
        own.message = reason.message;
  }
}

}  // namespace

llvm::LogicalResult drop_unused_variants(Module &module, PassContext &context) {
  std::map<const Kernel *, Kernel *> dropped;  // -> what it was a variant of
  for (Kernel &kernel : module.kernels) {
    if (!kernel.hopperVariant || usesWarpgroups(*kernel.hopperVariant)) continue;
    dropped[kernel.hopperVariant] = &kernel;
    kernel.hopperVariant = nullptr;
  }
  if (dropped.empty()) return llvm::success();
  keepReasons(context.diagnostics.decisions, dropped);
  module.kernels.remove_if([&](const Kernel &kernel) { return dropped.count(&kernel) != 0; });
  return llvm::success();
}

}  // namespace tile2cu::passes
