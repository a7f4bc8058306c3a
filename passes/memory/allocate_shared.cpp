#include "passes/memory/allocate_shared.h"

#include <algorithm>
#include <set>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/shared_usage.h"
#include "passes/ir/diagnostics/remarks.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult allocate_shared(Module &module, PassContext &context) {
  std::vector<const Kernel *> tooLarge;
  for (Kernel &kernel : module.kernels) {
    const std::vector<BufferInterval> intervals = lifetimesOf(kernel);
    std::set<std::string> names;  // of buffers, each of which gets its own
    for (SharedBuffer &buffer : kernel.shared) {
      std::string base = buffer.name;
      for (int i = 2; !names.insert(buffer.name).second; ++i)
        buffer.name = base + "_" + std::to_string(i);
    }
    placeBuffers(kernel, intervals);
    int stages = 1;
    for (const SharedBuffer &buffer : kernel.shared) stages = std::max(stages, buffer.stages);
    std::string sum;
    int64_t total = totalBytes(kernel, stages, &sum);
    const Target target = context.targetsOf(kernel).front();
    int64_t limit = sharedLimit(target);
    // The variant with element-wise accesses needs as much as the other one: reported once.
    if (total > limit && !intervals.empty() && !isVariantOf(kernel, tooLarge)) {
      int fitting = stages;
      while (fitting > 0 && totalBytes(kernel, fitting) > limit) --fitting;
      const auto large =
          llvm::find_if(kernel.shared, [](const SharedBuffer &buffer) { return buffer.slot >= 0; });
      reportAbout(kernel, module, context.diagnostics, DiagId::SharedMemoryExceeded,
                  intervals[large == kernel.shared.end() ? 0 : large - kernel.shared.begin()].loc,
                  {std::to_string(total), std::to_string(limit),
                   context.mixesHopper() ? " on " + target.name() : "", sum,
                   fitting > 0 ? fmt::format("use num_stages = {}, or smaller tiles", fitting)
                               : "use smaller tiles"});
      tooLarge.push_back(&kernel);
    }
  }
  return llvm::failure(!tooLarge.empty());
}

}  // namespace tile2cu::passes
