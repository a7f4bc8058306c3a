// Loops whose iterations never touch the same addresses.
#pragma once
#include "passes/ir/op.h"

namespace tile2cu::passes {

// Whether the addresses of this tile of pointers in two different iterations of `loop` are always different: it moves by
// a constant step, at least as far as the tile reaches.
bool disjointIterations(const ir::Value *pointer, const ir::Op *loop);

// Whether two accesses through the same addresses stay in the row of their iteration: each iteration has one, and masks keep
// them inside.
//
//     for (row ...) store(p + row * n + cols, ..., cols < n)
bool staysInRow(const ir::Op *a, const ir::Op *b, const ir::Op *loop);

}  // namespace tile2cu::passes
