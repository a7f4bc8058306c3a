// Replaces modulo indices by a mask if the rows that they would wrap around to are never stored:
//
//   %rows = rem %i, %M          i = first + 0 .. 127        %i
//   %x = load %a + %rows * s                          ==>   %x = load %a + %i * s, (%i < %M)
//   %acc = dot %x, ...                                      %acc = dot %x, ...
//   store ..., %acc, (%i < %M)                              store ..., %acc, (%i < %M)
//
// `% M` is a common way to keep loads of dot operands inside an array without a mask. A row that is
// read past the bound has to stay in its row, through element-wise operations, dots and loops, up
// to stores that leave that row out. Then zeros can replace it, and TMA can load the tile.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult modulo_to_mask(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
