// Rematerializable tile operations: index arithmetic, masks, pointers and views. They are
// recomputed where they are needed instead of being kept in registers. They cost an instruction or
// two, follow any layout for free, and read best next to their use.
#pragma once
#include "passes/ir/op.h"

namespace tile2cu::passes {

// Whether the tile that `op` makes is cheaper to recompute than to keep in registers.
bool isRematerializable(const ir::Op *op);
inline bool isRematerializable(const ir::Value *value) {
  return value->definition && isRematerializable(value->definition);
}

// Materializes results (`kept`) of integer expressions that are long, depend on loaded elements and
// have several users: in chains of them, such as the passes of a sort, recomputation would
// multiply.
void keepLongTrees(ir::Block &block);

// Whether `op` is inlined at its use: it is rematerializable, or an alias of the same registers.
bool isInlinedAtUse(const ir::Op *op);

}  // namespace tile2cu::passes
