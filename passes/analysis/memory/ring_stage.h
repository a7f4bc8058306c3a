// Stages of ring buffers: who waited for one, who writes to one.
#pragma once
#include "passes/ir/op.h"

namespace tile2cu::passes {

// The operation that waited for this stage of a ring; null if it is none, or one of another step.
ir::Op *takeOf(const ir::Value *stage);
// Whether a thread writes what it computed to a stage of a ring.
bool isStoreToStage(const ir::Op &op);

}  // namespace tile2cu::passes
