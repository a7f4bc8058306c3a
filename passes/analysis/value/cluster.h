// Results of launch/form_clusters for a kernel.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// The integers that have to be even so that the kernel may run in clusters of two blocks.
llvm::SmallVector<const ir::Value *, 4> evenCounts(const ir::Kernel &kernel);
// Whether the kernel may run in clusters of two blocks.
bool formsClusters(const ir::Kernel &kernel);

}  // namespace tile2cu::passes
