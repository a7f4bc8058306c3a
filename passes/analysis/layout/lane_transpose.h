// Exchanges between pairs of lanes: two lanes whose ids differ in one bit exchange one half of
// their vectors, so that each then has vectors twice as long. One shuffle moves data in both
// directions.
//
//  16 = r1*2 lane*4 r0*2    ==>    16 = r1*4 lane/2*2 lane*2
//
// Two lanes had columns 0 1 8 9 and 2 3 10 11; afterwards one has 0 1 2 3, the other 8 9 10 11.
#pragma once
#include <optional>

#include "passes/analysis/layout/warp_shuffle.h"

namespace tile2cu::passes {

struct LaneExchange {
  // A power of two: the bit in which the ids of two lanes that exchange differ.
  int64_t laneBit = 0;
  // The positions of the two halves of a result vector in the registers of the two lanes. A digit
  // of the lane selects the half: 0 or 1.
  llvm::SmallVector<SourceIndex, 4> registers;
};

// Whether `op`, a convert, is such an exchange.
std::optional<LaneExchange> laneExchange(const ir::Op *op);

// `layout` after an exchange that makes vectors along dimension `dim` twice as long. Null if
// `layout` does not have the form for that: along `dim` a vector first, then lanes, and registers
// further on.
ir::LayoutRef exchangedLayout(const ir::Layout &layout, unsigned dim);

}  // namespace tile2cu::passes
