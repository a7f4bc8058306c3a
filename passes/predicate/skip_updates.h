// Skips updates of carried tiles and of sums by a vote: where no element of a warp's part changes, the warp computes nothing of them.
//
//   for %acc {                                     for %acc {
//     %moves = gt %block_max, ...                    %moves = gt %block_max, ...
//     %scaled = mul %acc, %rescale                   %any_moves = vote_any %moves
//     %next = select %moves, %scaled, %acc   ==>     %next = if %any_moves {
//     ...                                              %scaled = mul %acc, %rescale
//   }                                                  yield (select %moves, %scaled, %acc)
//                                                    } else {
//                                                      yield %acc
//                                                    }
//                                                    ...
//
// This is `x = where(c, f(x), x)`: right whatever f is, as each element that moves still asks its own condition. What only such
// updates need is computed behind the vote too. Updates under one condition (or broadcasts of it) share the vote, and stand in one
// branch where what they read is there; what a later branch reads from an earlier one is handed on by it.
//
// With a condition of rows or columns, which has fewer elements than the tile, x may also be sums that the step makes by a product,
// or what their elements became; numbers of the rows (`where(c, 1, 0.5)`) change with them.
//
// Where the condition rests on a maximum or minimum over lanes that nothing else needs, the vote asks each lane's part of it
// (lane_partial_condition.h), so that the lanes meet only behind it.
//
// Worth it only for tiles that are written in place (nobody reads the old one later) and if enough work is skipped: a vote and a
// branch cost about as much as 16 operations.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult skip_updates(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
