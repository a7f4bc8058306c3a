// Operators of PyTorch that call the launchers.
#pragma once
#include <string>

#include "emit/emit.h"

namespace tile2cu::emit {

// The whole file: an operator for each launcher, with its schema, checks and the meta kernel that
// torch.compile and torch.export run. `options.headerName` is the header of the launchers.
std::string torchOperators(const ir::Module &module, const EmitOptions &options);

}  // namespace tile2cu::emit
