#include "passes/launch/pack_programs.h"

#include <algorithm>

#include "fmt/format.h"
#include "passes/ir/layout.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult pack_programs(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    if (kernel.options.numWarps != 1 || kernel.explicitGrid) continue;
    int64_t largest = 1;
    walk(kernel.body, [&](Op *op) {
      for (auto &result : op->results)
        if (result->type.isTile()) largest = std::max(largest, result->type.numElements());
    });
    int64_t programs = kernel.options.programsPerBlock;
    std::string why = "programs_per_block says so";
    if (programs == 0) {
      programs = std::clamp<int64_t>(1024 / largest, 1, 4);
      why = fmt::format(
          "by default as many as hold 1024 elements, at most 4, and its largest tile has {}",
          largest);
    }
    kernel.programsPerBlock = std::min<int64_t>(programs, 32);
    if (kernel.programsPerBlock > 1)
      context.diagnostics.decided(DiagId::ProgramsPacked, kernel, kernel.loc,
                                  {std::to_string(kernel.programsPerBlock), why});
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
