// Evaluates a condition on the result of a reduction across lanes on each lane's partial result
// instead.
//
//   %max = reduce_across %part {kind = max}             %ask = gt (mul %part, %scale), %limit
//   %moves = gt (mul %max, %scale), %limit      ==>
//
// A maximum or minimum is one of the values that it combines. If the condition holds for the
// result, it therefore holds for some lane's partial result: a warp vote on %ask misses nothing,
// and the reduction across lanes is not needed before the vote.
#pragma once
#include <set>

#include "passes/ir/builder.h"

namespace tile2cu::passes {

// Whether `op` combines the lanes of each warp to a maximum or minimum, without another warp.
bool isExtremumInWarp(const ir::Op *op);

// The reduction before which `condition` can be evaluated, or null. `members` gets all operations
// from the reduction to the condition.
const ir::Op *reductionBefore(const ir::Value *condition, const std::set<const ir::Op *> &members);

// The condition on the partial results that `reduction` combines.
ir::Value *onParts(ir::Value *condition, const ir::Op *reduction,
                   const std::set<const ir::Op *> &members, ir::Builder &b);

}  // namespace tile2cu::passes
