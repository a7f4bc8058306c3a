#include "passes/analysis/memory/ring_stage.h"

namespace tile2cu::passes {
using namespace ir;

Op *ringWaitOf(const Value *stage) {
  Op *op = stage ? stage->definition : nullptr;
  return op && op->kind == OpKind::ConsumerWait ? op : nullptr;
}

bool isStoreToStage(const Op &op) {
  return op.kind == OpKind::SharedStore && ringWaitOf(op.operand(SharedStoreOp::stage_optIndex));
}

}  // namespace tile2cu::passes
