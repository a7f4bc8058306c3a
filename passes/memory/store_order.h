// The order of TMA stores of different iterations. The hardware keeps none: a thread can only wait
// until those that it has started are complete.
#pragma once
#include "passes/analysis/integer/axis_info.h"
#include "passes/analysis/memory/access_overlap.h"
#include "passes/analysis/memory/strided_box.h"

namespace tile2cu::passes {

// Whether an iteration may store where an earlier one of the same program did.
bool storesAgain(const ir::Kernel &kernel, const ir::Op *store, AccessOverlaps &overlaps);

// Whether iterations that store to the same place store each row of it from the same warp, if each
// warp stores its rows of the tile: the tile starts at a multiple of its rows, and in the other
// dimensions a program always stores at the same coordinate. `box` is where the store, which is in
// a loop, stores.
bool keepsWarps(const ir::Kernel &kernel, const ir::Op *store, const Box &box,
                const AxisAnalysis &axes);

// The largest part of `divisor`, a power of two, that is known to divide a term of a polynomial.
int64_t divisorOf(const AxisAnalysis &axes, const Polynomial::Monomial &monomial, int64_t factor,
                  int64_t divisor);

}  // namespace tile2cu::passes
