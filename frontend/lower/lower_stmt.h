// Statements.
#pragma once
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

// The code after the statements that are being lowered, up to the end of the function. If an `if`
// of an inlined function returns in one arm, the rest of the function is lowered in the other arm.
struct Rest {
  llvm::ArrayRef<const clang::Stmt *> statements;
  const Rest *next = nullptr;
};

Flow lowerSequence(Lowering &lowering, llvm::ArrayRef<const clang::Stmt *> statements,
                   const Rest *rest = nullptr);
inline Flow lowerStmt(Lowering &lowering, const clang::Stmt *statement) {
  return lowerSequence(lowering, statement);
}
// The body of any loop: a helper cannot return from inside it.
Flow lowerLoopBody(Lowering &lowering, const clang::Stmt *body);

// The `return` of a function, if it is the only one and always reached.
const clang::Stmt *onlyReturnOf(const clang::ASTContext &context, const clang::Stmt *body);

// ---- lower_decl.cpp
void lowerDecl(Lowering &lowering, const clang::Decl *declaration);

// ---- lower_switch.cpp
Flow lowerSwitch(Lowering &lowering, const clang::SwitchStmt *statement, const Rest *rest);

}  // namespace tile2cu::frontend
