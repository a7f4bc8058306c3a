// Skips conditional updates of carried tiles and accumulators by a warp vote: if no element of a
// warp changes, the warp computes nothing of the update.
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
// The update has the form `x = where(c, f(x), x)`. Skipping is right whatever f is, because each
// element in the branch still evaluates its own condition. Operations that only such updates need
// move after the vote too. Updates under one condition (or
// broadcasts of it) share the vote. They share a branch if their operands are available; if a later
// branch reads a value of an earlier one, the earlier branch yields it.
//
// With a condition on rows or columns, which has fewer elements than the tile, x may also be the
// result of a dot in this iteration, or a tile computed element-wise from it. Per-row values
// (`where(c, 1, 0.5)`) change with them.
//
// If the condition depends on a maximum or minimum across lanes that nothing else needs, the vote
// uses each lane's partial result (lane_partial_condition.h), so that the reduction across lanes
// comes after the vote.
//
// This pays only for tiles that are updated in place (nothing reads the old tile later), and only
// if enough work is skipped: at least `vote_min_work` operations of a thread (target/tunables.def).
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult skip_updates(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
