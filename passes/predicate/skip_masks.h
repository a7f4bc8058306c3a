// Asks once for a whole tile whether a mask keeps anything out of it, where a step of a loop masks what it made by a product: most
// blocks of keys of causal attention are visible as a whole.
//
//   for %start {                                         for %start {
//     %sums = dot ...                                      %sums = dot ...
//     %keys = add (splat %start), (arange 0 64)   ==>      %last_key = add %start, 63
//     %visible = le %keys, %rows                           %masks = gt %last_key, %first_row
//     %scores = select %visible, %sums, -inf               %scores = if %masks {
//                                                            yield (select %visible, %sums, -inf)
//                                                          } else { yield %sums }
//
// For masks that are comparisons of integers whose smallest and largest element follow from scalars (tile_extrema.h), joined by
// and, or, not, and numbers that are the same for all elements. Selections of each other's results share the question. What is
// asked is enough, not all: where it says yes, each element still asks its own mask.
//
// For tiles of 64 rows and 32 elements a thread at least: with few rows (decoding) what is computed waits for memory anyway, and with
// few elements the branch, which keeps what is around it apart, costs as much as it saves.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult skip_masks(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
