// Variants and candidates whose bodies are equal except for constants share one template over these
// constants: softmax_kernel<BLOCK, NUM_WARPS, VEC>. (A struct of constants for each instance would
// name them too, but fourteen row lengths would need fourteen structs, and the launcher reads
// better with the values in place.)
#pragma once
#include <vector>

#include "emit/kernel/kernel_group.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/analysis/layout/unit_axes.h"

namespace tile2cu::emit {

// Lowers a kernel, without loops over these axes.
using LowerKernel = llvm::function_ref<KernelText(const ir::Kernel &, const passes::UnitAxes &)>;

// All kernels that the module's launchers use, in order of first use.
std::vector<KernelGroup> groupKernels(const ir::Module &module, LowerKernel lower);

// Names by which a function of a kernel means something else: a parameter, a constant, the struct.
SymbolSet knownNames(const KernelGroup &group);

}  // namespace tile2cu::emit
