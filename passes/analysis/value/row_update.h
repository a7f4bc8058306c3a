// Updates of a tile in some of its rows, `x = where(c[all, none], f(x), x)`: skip_updates puts f behind a vote of the warp.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// The same elements in another shape, or other threads.
bool isView(const ir::Op *op);

// One number for all elements, which costs nothing to keep.
bool isOneNumber(const ir::Value *value);

// The tile whose elements `condition` repeats in the same threads.
ir::Value *rootOf(ir::Value *condition);

// Whether `select` decides for whole rows or columns: its condition has fewer elements than it.
bool decidesRows(const ir::Op *select);

// Whether only updates of rows need what `op` computes, so that most steps may skip it.
bool isForRowUpdates(const ir::Op *op);

}  // namespace tile2cu::passes
