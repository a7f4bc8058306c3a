// Skips a mask on the result of a dot where the mask is true for the whole tile, by one test of
// scalars. In causal attention most blocks of keys are entirely visible.
//
//   for %start {                                         for %start {
//     %acc = dot ...                                       %acc = dot ...
//     %keys = add (splat %start), (arange 0 64)   ==>      %last_key = add %start, 63
//     %visible = le %keys, %rows                           %masks = gt %last_key, %first_row
//     %scores = select %visible, %acc, -inf                %scores = if %masks {
//                                                            yield (select %visible, %acc, -inf)
//                                                          } else { yield %acc }
//
// This applies to masks that are comparisons of integers whose smallest and largest elements follow
// from scalars (tile_extrema.h), joined by and, or and not, and to uniform values. Selects that
// read each other's results share one test. The test is conservative: if it says that the mask may
// be false, each element still evaluates its own mask.
//
// It applies to tiles with at least 64 rows and at least 32 elements per thread. With few rows
// (decoding) the computation waits for memory anyway. With few elements the branch costs as much as
// it saves, because nothing is scheduled across it.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult skip_masks(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
