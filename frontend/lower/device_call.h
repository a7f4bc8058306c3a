// Calls of __device__ functions that a header has. They stay calls, and the emitted file includes
// the header. One that the input itself defines is inlined, as a __tile__ function is.
#pragma once
#include "clang/AST/Expr.h"
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

Val lowerDeviceCall(Lowering &l, const clang::CallExpr *call, const clang::FunctionDecl *callee);

}  // namespace tile2cu::frontend
