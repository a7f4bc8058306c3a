// The handlers of operations.def.
#pragma once
#include "frontend/lower/lower_call.h"

namespace tile2cu::frontend {

#define OPERATION(name, handler, kind) Val handler(Lowering &lowering, const Operation &operation);
#include "frontend/ops/operations.def"

// ---- operations with a function of the user (ops_combine.cpp)
// The call of the function in the body of such an operation; null if there is none.
const clang::CallExpr *sampleCall(const Operation &operation);
// Lowers the function into the region of the operation, which has its arguments already.
void lowerFunction(Lowering &lowering, const Operation &operation, ir::Op *op,
                   unsigned functionIndex, const Place &function, llvm::ArrayRef<ir::Type> results);

// 0, 1, ... along one axis.
ir::Value *makeIota(Lowering &lowering, int64_t axis, llvm::ArrayRef<ir::Dim> shape);

// The scalar in a tile of one dimension and one element, bit for bit.
ir::Value *onlyElement(Lowering &lowering, ir::Value *tile);

}  // namespace tile2cu::frontend
