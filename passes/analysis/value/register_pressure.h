// How many registers of a thread its tiles take at once.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Of one tile, in registers of 32 bits; 0 for scalars and pointers.
int64_t registersOf(const ir::Value *value);

// The most, in registers of 32 bits, that tiles made by one loop over registers and used by another take together. What a loop
// computes in between is not in it, nor are addresses and scalars.
int64_t liveRegisters(ir::Kernel &kernel);

}  // namespace tile2cu::passes
