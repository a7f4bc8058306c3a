// Bounds of coordinates that follow from the header of a loop.
#pragma once
#include "passes/analysis/integer/symbolic.h"

namespace tile2cu::passes {

// Whether a polynomial is negative for all elements of a tile of this shape, in every iteration of
// the loop whose variable it contains:
//
//    for (k = first; k < minimum(first + depth * 64, K); k += 64)
//                                    k + d0 - first - depth * 64, for a tile of 64 elements
//
// because k is at least 64 below a bound whose distance from the start is a multiple of the step.
bool holdsInLoop(const Polynomial &condition, const ir::Shape &shape, Symbols &symbols);

}  // namespace tile2cu::passes
