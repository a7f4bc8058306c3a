// Masks as conditions on the coordinates of their tile.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "passes/analysis/integer/symbolic.h"

namespace tile2cu::passes {

// The differences that are negative where a mask is true: d0 + start - extent for `start + rows <
// extent`. Only proofs use them. They are exact and cannot overflow, and no code computes them.
using Conditions = llvm::SmallVector<Polynomial, 4>;

// Adds the conditions of `mask` to `all`; false if the mask has other conditions too.
bool addConditions(ir::Value *mask, Symbols &symbols, Conditions &all);

}  // namespace tile2cu::passes
