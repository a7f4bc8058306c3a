// The handlers of operations.def.
#pragma once
#include "frontend/lower/lower_call.h"

namespace tile2cu::frontend {

#define OPERATION(name, handler, kind) Val handler(Lowering &lowering, const Operation &operation);
#include "frontend/ops/operations.def"

// 0, 1, ... along one axis.
ir::Value *makeIota(Lowering &lowering, int64_t axis, llvm::ArrayRef<ir::Dim> shape);

}  // namespace tile2cu::frontend
