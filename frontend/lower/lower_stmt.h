// Statements.
#pragma once
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

// The code after the statements that are being lowered, up to the end of the function, or of a copy
// of the body of an unrolled loop. If an `if` of an inlined function returns in one arm, or leaves
// the copy, the rest is lowered in the other arm.
struct Rest {
  llvm::ArrayRef<const clang::Stmt *> statements;
  const Rest *next = nullptr;
  bool inSwitch = false;  // of the statements
};

Flow lowerSequence(Lowering &lowering, llvm::ArrayRef<const clang::Stmt *> statements,
                   const Rest *rest = nullptr);
inline Flow lowerStmt(Lowering &lowering, const clang::Stmt *statement) {
  return lowerSequence(lowering, statement);
}
// The body of any loop.
Flow lowerLoopBody(Lowering &lowering, const clang::Stmt *body);

// Whether a `return` of this function is somewhere in the statement.
bool hasReturn(const clang::Stmt *statement);
// Whether a `break` (or `continue`, unless `onlyBreak`) in the statement leaves the loop around it.
bool leavesLoop(const clang::Stmt *statement, bool onlyBreak = false);

// The `return` of a function, if it is the only one and always reached.
const clang::Stmt *onlyReturnOf(const clang::ASTContext &context, const clang::Stmt *body);

// ---- lower_decl.cpp
void lowerDecl(Lowering &lowering, const clang::Decl *declaration);

// ---- lower_switch.cpp
Flow lowerSwitch(Lowering &lowering, const clang::SwitchStmt *statement, const Rest *rest);

}  // namespace tile2cu::frontend
