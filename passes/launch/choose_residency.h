// Decides how many threads should be resident on a multiprocessor (Options::residentThreads) where
// the user left that to the compiler, so that ptxas gives a thread no more registers than this
// allows:
//
//   256    if more registers than `residency_quarter_registers` hold live tiles: fewer would spill
//   512    if more than `residency_half_registers` do, if a thread holds many elements of a tile
//          (`residency_half_elements`), or if no access is a vector
//   1024   otherwise
//
//   kernel @scale(...) warps 4   ==>   kernel @scale(...) warps 4 resident_threads 1024
//
// A kernel with dots takes as many registers as it needs, because tensor cores need few threads:
// the number stays 0. `min_blocks` and a producer warp take precedence over the number.
//
// Also records, for -Rtile, the threads, shared memory and registers of each kernel.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult choose_residency(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
