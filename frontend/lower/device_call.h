// Calls of __device__ functions that a header has. They stay calls, and the emitted file includes
// the header. One that the input itself defines is inlined, as a __tile__ function is.
#pragma once
#include "clang/AST/Expr.h"
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

// Whether a function of the emitted file may take and return this type: a scalar that CUDA computes
// with. A 16-bit float has CUDA's name there.
bool isDeviceScalar(const std::optional<ir::Type> &type);

Val lowerDeviceCall(Lowering &l, const clang::CallExpr *call, const clang::FunctionDecl *callee);

}  // namespace tile2cu::frontend
