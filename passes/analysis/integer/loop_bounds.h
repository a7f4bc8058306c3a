// What a loop's header says of the coordinates in its steps.
#pragma once
#include "passes/analysis/integer/symbolic.h"

namespace tile2cu::passes {

// Whether a sum is negative for all elements of a tile of this shape in every step of the loop whose variable it contains:
//
//     for (k = first; k < minimum(first + depth * 64, K); k += 64)   k + d0 - first - depth * 64, of 64 elements
//
// as k stays 64 below a bound that is a number of whole steps away.
bool holdsInLoop(const Polynomial &condition, const ir::Shape &shape, Symbols &symbols);

}  // namespace tile2cu::passes
