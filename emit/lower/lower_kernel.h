// The lowering of one kernel: the statements of its body, the constants it names and the shared
// memory it needs.
#pragma once
#include <string>

#include "emit/kernel/kernel_text.h"
#include "passes/analysis/layout/unit_axes.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

class Tables;
class TextFunctions;

struct KernelOptions {
  bool preciseMath = false;
  passes::UnitAxes unitAxes;  // of loops that run once: neither loop nor array is written
  llvm::ArrayRef<std::string> fileNames;  // of Module::files, without folders
  const TextFunctions *texts = nullptr;
  bool isEmulated = false;  // calls of texts run what computes the same on the CPU
  const Tables *tables = nullptr;
};

KernelText lowerKernel(const ir::Kernel &kernel, const KernelOptions &options);

}  // namespace tile2cu::emit
