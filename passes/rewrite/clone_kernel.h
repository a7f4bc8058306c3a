// Copies of whole kernels.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Adds a copy of the kernel's code and options to the module: a variant, before layouts are chosen.
// It has no assumptions and no variants.
ir::Kernel &cloneKernel(ir::Module &module, ir::Kernel &kernel);

}  // namespace tile2cu::passes
