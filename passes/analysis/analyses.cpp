#include "passes/analysis/analyses.h"

#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::passes {

std::optional<unsigned> Analyses::idOf(const ir::Kernel &kernel) {
  if (kernel.body.arguments.empty()) return std::nullopt;
  return kernel.body.argument(0)->serial;
}

std::shared_ptr<const AxisAnalysis> Analyses::axes(ir::Kernel &kernel,
                                                   const Assumptions &assumptions) {
  const auto id = idOf(kernel);
  if (!id) return std::make_shared<const AxisAnalysis>(kernel, assumptions);
  auto &known = axes_[{*id, assumptions}];
  if (!known)
    known = std::make_shared<const AxisAnalysis>(kernel, assumptions);
  else if (verifies_ && !(*known == AxisAnalysis(kernel, assumptions)))
    T2C_UNREACHABLE(("a pass has changed @" + kernel.name + " without invalidating").c_str());
  return known;
}

void Analyses::invalidate(const ir::Kernel &kernel) {
  std::erase_if(axes_, [&](const auto &entry) { return entry.first.first == idOf(kernel); });
}

void Analyses::endPass(Keeps keeps) {
  if (keeps == Keeps::Nothing) axes_.clear();
}

std::string Analyses::findStale(ir::Module &module) const {
  for (ir::Kernel &kernel : module.kernels)
    for (const auto &[key, known] : axes_)
      if (key.first == idOf(kernel) && !(*known == AxisAnalysis(kernel, key.second)))
        return "the axes of @" + kernel.name;
  return "";
}

}  // namespace tile2cu::passes
