// The structs of the user's that launchers take.
#pragma once
#include "emit/cuda/builder.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// struct Params { const float* x; int n = 16; };
Struct structOf(const ir::Record &record);

}  // namespace tile2cu::emit
