// Updates of some rows of a tile, `x = where(c[all, none], f(x), x)`: skip_updates guards f by a
// warp vote.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Whether `op` only changes the shape, or the threads that hold the elements.
bool isView(const ir::Op *op);

// Whether all elements are equal, so that keeping the tile costs nothing.
bool isOneNumber(const ir::Value *value);

// The tile that `condition` broadcasts within the same threads.
ir::Value *rootOf(ir::Value *condition);

// Whether `select` decides for whole rows or columns: its condition has fewer elements than it.
bool decidesRows(const ir::Op *select);

// Whether only row updates need the result of `op`, so that most iterations may skip it.
bool isForRowUpdates(const ir::Op *op);

}  // namespace tile2cu::passes
