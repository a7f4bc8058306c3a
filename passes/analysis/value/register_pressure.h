// Register pressure: how many registers per thread are live for tiles at the same time.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// The 32-bit registers of one tile; 0 for scalars and pointers.
int64_t registersOf(const ir::Value *value);

// The maximum number of 32-bit registers that are live at once for tiles made by one loop nest and
// used by another, and for the keys of sorts. Values inside a loop nest, addresses and scalars are
// not counted.
int64_t liveRegisters(ir::Kernel &kernel);

}  // namespace tile2cu::passes
