// Which tile operations are recomputed wherever they are needed rather than kept in registers: index arithmetic, masks, pointers and
// views. They cost an instruction or two, follow any layout for free, and read best next to their use.
#pragma once
#include "passes/ir/op.h"

namespace tile2cu::passes {

// Whether `op` makes a tile that is cheaper to compute again than to keep.
bool isCheap(const ir::Op *op);
inline bool isCheap(const ir::Value *value) {
  return value->definition && isCheap(value->definition);
}

// Keeps results (`kept`) of trees of integers that are long, rest on elements of memory, and have several users: chains of them, as
// the passes of a sort, would be as long again for each.
void keepLongTrees(ir::Block &block);

// Whether `op` is written out where its result is used: cheap, or another name of the same registers.
bool isWrittenAtUse(const ir::Op *op);

}  // namespace tile2cu::passes
