// Reads nothing where a coordinate that wraps around would give rows that are stored nowhere:
//
//   %rows = rem %i, %M          i = first + 0 .. 127        %i
//   %x = load %a + %rows * s                          ==>   %x = load %a + %i * s, (%i < %M)
//   %sums = dot %x, ...                                     %sums = dot %x, ...
//   store ..., %sums, (%i < %M)                             store ..., %sums, (%i < %M)
//
// `% M` is a common way to keep loads of products inside of an array without a mask. What comes from behind the bound has to stay
// in its row, through element-wise operations, products and loops, up to stores that leave that row out. Then zeros
// are as good, and the tile is one that bulk copies can bring.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult modulo_to_mask(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
