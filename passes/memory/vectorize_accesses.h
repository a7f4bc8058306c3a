// Decides for each global access how many elements one instruction moves, and how its mask is
// tested.
//
//   %mask = lt %i, %valid                      %remaining = sub %valid, %i
//   %x = load %p, %mask                ==>     %x = load %p, %remaining {form = prefix, vector = 4}
//
// Sets on load, store and atomic_add: {vector = N, form = uniform | prefix | element}. In the
// prefix form the mask operand becomes an i32 tile: the number of elements from this one on that
// are inside the bound (bound - index). Elements of padding are masked off. random_bits gets
// {vector = N} if its offsets are consecutive, so that neighbours share a Philox call.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult vectorize_accesses(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
