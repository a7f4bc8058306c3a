// Turns a grid kernel into a persistent one where its options say so: the launch has as many programs as the device runs at a
// time, and a loop around the body gives each of them several of the grid's. A `return` ends one round of the loop.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult make_persistent(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
