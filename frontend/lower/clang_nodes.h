// Looks up an AST node in clang_nodes.def and reports it if tile functions do not support it.
#pragma once
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

void rejectNode(Lowering &lowering, const clang::Stmt *node);
// Reports a local declaration that is not supported.
void checkDecl(Lowering &lowering, const clang::Decl *declaration);
// Reports a variable whose type is not supported.
void checkVariableType(Lowering &lowering, const clang::VarDecl *variable);

}  // namespace tile2cu::frontend
