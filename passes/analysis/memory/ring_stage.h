// Stages of ring buffers: which operation waited for a stage, and which ones write to it.
#pragma once
#include "passes/ir/op.h"

namespace tile2cu::passes {

// The operation that waited for this stage of a ring; null if there is none, or if it is in another
// iteration.
ir::Op *ringWaitOf(const ir::Value *stage);
// Whether threads store computed values to a stage of a ring.
bool isStoreToStage(const ir::Op &op);

}  // namespace tile2cu::passes
