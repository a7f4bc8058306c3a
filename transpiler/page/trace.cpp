#include "transpiler/page/trace.h"

#include "llvm/ADT/StringExtras.h"
#include "passes/ir/text/print.h"

namespace tile2cu::page {

void Trace::add(const std::string &pass, const std::string &description, const ir::Module &module) {
  Step step{pass, description, module.level, {}};
  std::string text = ir::toString(module, {.progress = false});
  step.isChanged = steps_.empty() || text != before_;
  if (step.isChanged)
    for (const llvm::StringRef line : llvm::split(llvm::StringRef(text).rtrim('\n'), '\n')) {
      const auto [entry, isNew] = numbers_.try_emplace(line, lines_.size());
      if (isNew) lines_.push_back(line.str());
      step.lines.push_back(entry->second);
    }
  if (step.isChanged && module.level == ir::Level::Tile) work_ = workOf(module);
  if (step.isChanged && module.level == ir::Level::Placed) kernels_ = placedKernels(module);
  before_ = std::move(text);
  steps_.push_back(std::move(step));
}

}  // namespace tile2cu::page
