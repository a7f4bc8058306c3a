// How long parts of a loop's step take on a multiprocessor of Hopper, in cycles: orders of them are chosen by it.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// A product of warpgroups, alone on the tensor cores.
int64_t productCycles(const ir::Op *dot);

// What the operation computes by special functions (exp2, fast_tanh, ...), of a tile alone on their unit; 0 if nothing.
int64_t specialCycles(const ir::Op *op);

}  // namespace tile2cu::passes
