#include "passes/pack_programs.h"

#include <algorithm>

#include "passes/alias.h"
#include "passes/ir/layout.h"

namespace tile2cu::passes {
using namespace ir;

llvm::LogicalResult pack_programs(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    if (kernel.options.numWarps != 1 || kernel.explicitGrid) continue;
    int64_t largest = 1;
    walk(kernel.body, [&](Op *op) {
      for (auto &result : op->results)
        if (result->type.isTile()) largest = std::max(largest, result->type.numElements());
    });
    int64_t programs = kernel.options.programsPerBlock;
    if (programs == 0) programs = std::clamp<int64_t>(1024 / largest, 1, 4);
    kernel.programsPerBlock = std::min<int64_t>(programs, 32);
  }
  return llvm::success();
}

llvm::LogicalResult mark_read_only(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels)
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Load && isReadOnly(kernel, op)) op->setBool("read_only", true);
    });
  return llvm::success();
}

}  // namespace tile2cu::passes
