// What the launcher says of the arrays that bulk copies (TMA) read and write.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/builder.h"
#include "emit/cuda/used_words.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// tile2cu::make_tensor_map(&a_map, ...)
std::string tensorMapCall(const ir::Op *map, const ir::Kernel &kernel, UsedWords &words);

// tile2cu::crosses_lines(a, {stride * 2})
std::string linesText(const ir::Op *map, const ir::Kernel &kernel, UsedWords &words);

// The extents and strides of a kernel's maps that arguments decide, each once, in terms of these
// parameters. No map can be described unless they are positive.
std::vector<Expr> tensorSizes(const ir::Kernel &kernel, llvm::ArrayRef<ir::Parameter> parameters);

}  // namespace tile2cu::emit
