// A condition on what a reduction over the lanes of a warp gives, asked of what each of them has of it instead.
//
//   %max = reduce_across %part {kind = max}             %ask = gt (mul %part, %scale), %limit
//   %moves = gt (mul %max, %scale), %limit      ==>
//
// Maximum and minimum are one of the values that they combine, so that the condition holds for some lane's part where it holds for
// the result: a vote of the warp on %ask misses nothing, and the lanes need not meet before it.
#pragma once
#include <set>

#include "passes/ir/builder.h"

namespace tile2cu::passes {

// Whether `op` combines the lanes of each warp to a maximum or minimum, without another warp.
bool isExtremumInWarp(const ir::Op *op);

// The reduction that `condition` is to be asked before, null if it cannot: all of its operations from there on are in `members`.
const ir::Op *reductionBefore(const ir::Value *condition, const std::set<const ir::Op *> &members);

// The condition on the parts that `reduction` combines.
ir::Value *onParts(ir::Value *condition, const ir::Op *reduction,
                   const std::set<const ir::Op *> &members, ir::Builder &b);

}  // namespace tile2cu::passes
