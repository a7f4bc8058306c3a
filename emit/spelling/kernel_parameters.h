// The parameters of a kernel, and of functions that have them all.
#pragma once
#include <vector>

#include "emit/cuda/ast.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// The tensor maps that the launcher makes for a kernel, in the order in which it takes them.
std::vector<const ir::Op *> tensorMaps(const ir::Kernel &kernel);

// The parameters of the kernel, or of a function that has them all.
std::vector<FunctionParameter> functionParameters(const ir::Kernel &kernel);

}  // namespace tile2cu::emit
