// The smallest and the largest element of an integer tile, as scalars: for start + arange(0, 64)
// these are start and start + 63.
#pragma once
#include <functional>
#include <optional>

#include "passes/ir/builder.h"

namespace tile2cu::passes {

using MakeScalar = std::function<ir::Value *(ir::Builder &)>;

// Creates a scalar of the tile's type that is an upper bound (`upper`) or a lower bound of all
// elements, at a point where everything that the tile is computed from is available. The scalar is
// computed as an element is, so it overflows only where an element does. Null if no bound is known:
// for loads, and for additions in which a dimension occurs twice.
std::optional<MakeScalar> boundOf(ir::Value *tile, bool upper);

}  // namespace tile2cu::passes
