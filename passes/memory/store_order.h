// The order of TMA stores of different iterations. The hardware keeps none: a thread can only wait
// until those that it has started are complete.
#pragma once
#include <optional>

#include "passes/analysis/integer/axis_info.h"
#include "passes/analysis/memory/access_overlap.h"
#include "passes/analysis/memory/strided_box.h"

namespace tile2cu::passes {

// Who has to wait for the stores of earlier iterations of the same program, if one may store where
// an earlier one did; `box` is where the store stores.
//
// It is the warp if iterations that store to the same place store each row of it from the same
// warp, where each warp stores its rows of the tile: the tile starts at a multiple of its rows, and
// in the other dimensions a program always stores at the same coordinate.
std::optional<ir::StoreOrder> storeOrder(const ir::Kernel &kernel, const ir::Op *store,
                                         const Box &box, AccessOverlaps &overlaps,
                                         const AxisAnalysis &axes);

}  // namespace tile2cu::passes
