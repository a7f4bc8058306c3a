// Turns a grid kernel into a persistent one where its options say so: the launch has as many programs as the device runs at a
// time, and a loop around the body gives each of them several of the grid's. A `return` ends one round of the loop.
#pragma once
#include "passes/passes.h"

namespace tile2cu::passes {

llvm::LogicalResult persist_programs(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
