// Turns a grid kernel into a persistent one if its options say so. The launch has as many programs
// as the device can run at a time, and a loop around the body gives each of them several of the
// grid's programs. A `return` ends one iteration of the loop.
//
//   %row = grid %count               %first = grid %count {persistent = true}
//   ...                      ==>     %all = num_programs {axis = 0}
//                                    for %row = %first to %count step %all {
//                                      ...
//                                    }
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult make_persistent(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
