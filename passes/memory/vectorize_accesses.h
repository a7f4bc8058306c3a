// Decides for each global access how many elements one instruction moves, and in which form its mask is tested.
//
// Sets on load, store and atomic_add: {vector = N, form = "uniform" | "prefix" | "element"}. In the prefix form the mask operand
// becomes an i32 tile: how many elements from this one on exist (bound - index). Elements of padding are masked off.
// random_bits gets {vector = N} when its offsets run on and share Philox calls.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult vectorize_accesses(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
