// The smallest and the largest element of an integer tile, as scalars: of start + arange(0, 64) start and start + 63.
#pragma once
#include <functional>
#include <optional>

#include "passes/ir/builder.h"

namespace tile2cu::passes {

using MakeScalar = std::function<ir::Value *(ir::Builder &)>;

// Makes a scalar of the tile's type that no element is above (`upper`) or below, where all that the tile is made of is there; what it
// computes is what an element computes, so that nothing overflows that did not. Null where that is not known: of loads, and of sums
// in which a dimension comes twice.
std::optional<MakeScalar> boundOf(ir::Value *tile, bool upper);

}  // namespace tile2cu::passes
