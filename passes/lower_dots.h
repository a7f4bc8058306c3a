// Brings the operands of matrix products to shared memory, where every thread can read them:
//
//   %c = dot %a, %b, %acc          shared_store %a {buffer = 0, ...}
//                              ->  shared_store %b {buffer = 1, ...}
//                                  %c = dot_shared %acc {buffers = [0, 1], ...}
//
// Rows of a shared tile are 16 bytes longer than the tile's, so that the threads of a warp that read down a column, or
// the eight rows of a matrix fragment, meet different banks.
#pragma once
#include "passes/passes.h"

namespace tile2cu::passes {

llvm::LogicalResult lower_dots(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
