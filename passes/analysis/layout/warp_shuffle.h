// Operations that only move elements to other positions (convert, permute, reshape, flip, slice,
// split), where every element stays in its warp: which lane and which register holds each element
// of a thread's result.
//
//   128 = lane*32 r0*4  ==>  128 = r0*4 lane*32     element 4 * lane + r0 is held by lane
//                                                   4 * (lane % 8) + r0, in register lane / 8
//
// Both layouts are split into digits that neither of them splits further. Each digit of the source
// is then a digit of the result, or a constant (the part of a slice that does not vary), so that
// the source lane and registers are linear combinations of parts of the result's register indices,
// lane and warp. Digits that the source lacks are replicated; the lane whose digit is 0 there is
// read.
#pragma once
#include <optional>

#include "passes/ir/layout.h"
#include "passes/ir/op.h"

namespace tile2cu::passes {

// One term: a part of an index of the result, times `stride`.
struct MovedPart {
  ir::Digit of;  // of a register axis, the lane or the warp of the result: index / stride % extent
  bool reversed = false;  // counted from the end: extent - 1 - part
  int64_t stride = 1;
};

struct SourceIndex {
  int64_t base = 0;
  llvm::SmallVector<MovedPart, 4> parts;  // by stride, the smallest first
};

struct WarpMove {
  SourceIndex lane;
  llvm::SmallVector<SourceIndex, 4> registers;  // for each register axis of the source
  bool crossesLanes = false;                    // else the lane is the thread's own
  // How many registers hold the elements that one register of the result gets, over all lanes and
  // warps.
  int64_t candidates = 1;
};

// How result `result` of such an operation is assembled; nullopt if elements change warps, or if
// its layouts do not match.
std::optional<WarpMove> warpMove(const ir::Op *op, unsigned result = 0);

}  // namespace tile2cu::passes
