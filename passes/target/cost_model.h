// How many cycles parts of a loop's iteration take on a multiprocessor of Hopper. Passes use it to
// choose an order.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// A wgmma, alone on the tensor cores.
int64_t dotCycles(const ir::Op *dot);

// The special functions (exp2, fast_tanh, ...) that the operation computes for a tile, alone on
// their unit; 0 if there are none.
int64_t specialCycles(const ir::Op *op);

}  // namespace tile2cu::passes
