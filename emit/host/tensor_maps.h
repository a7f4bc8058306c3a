// Tensor maps: the launcher describes the arrays that TMA reads and writes.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/builder.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// tile2cu::make_tensor_map(&a_map, ...)
Expr tensorMapCall(const ir::Op *map, const ir::Kernel &kernel);

// tile2cu::crosses_lines(a, {stride * 2})
Expr crossesLines(const ir::Op *map, const ir::Kernel &kernel);

// The extents and strides of a kernel's maps that arguments decide, each once, in terms of these
// parameters. No map can be described unless they are positive.
std::vector<Expr> tensorSizes(const ir::Kernel &kernel, llvm::ArrayRef<ir::Parameter> parameters);

}  // namespace tile2cu::emit
