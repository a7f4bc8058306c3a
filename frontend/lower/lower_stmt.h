// Statements.
#pragma once
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

// What follows the statements being lowered, out to the end of the function: an `if` of an inlined function that
// returns in one arm takes the rest into its other arm.
struct Rest {
  llvm::ArrayRef<const clang::Stmt *> statements;
  const Rest *next = nullptr;
};

Flow lowerSequence(Lowering &lowering, llvm::ArrayRef<const clang::Stmt *> statements,
                   const Rest *rest = nullptr);
inline Flow lowerStmt(Lowering &lowering, const clang::Stmt *statement) {
  return lowerSequence(lowering, statement);
}
// The body of a loop, of whatever kind: a helper cannot return from inside it.
Flow lowerLoopBody(Lowering &lowering, const clang::Stmt *body);

// ---- lower_decl.cpp
void lowerDecl(Lowering &lowering, const clang::Decl *declaration);

// ---- lower_switch.cpp
Flow lowerSwitch(Lowering &lowering, const clang::SwitchStmt *statement, const Rest *rest);

}  // namespace tile2cu::frontend
