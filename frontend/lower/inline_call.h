// Calls of functions with bodies: helpers (`__tile__`), lambdas, and composite operations of the
// language. All are inlined.
#pragma once
#include "frontend/lower/lowering.h"

namespace clang {
class CXXConstructExpr;
class CXXInheritedCtorInitExpr;
class CXXMethodDecl;
}  // namespace clang

namespace tile2cu::frontend {

struct Inlined {
  const clang::FunctionDecl *function = nullptr;
  const clang::Expr *callee = nullptr;  // the function as the call names it; null if it does not
  const clang::Expr *object = nullptr;  // of a method, or a pointer to it; the closure of a lambda
  llvm::ArrayRef<const clang::Expr *> arguments;
  bool isAssignment = false;  // a = b, a += b: C++ evaluates the right side first
  clang::SourceLocation loc;
};

// Lowers the body with its parameters bound; returns its result. That of a function that returns a
// reference to a known variable, or to memory, is the reference.
Val inlineCall(Lowering &lowering, const Inlined &call);
// Returns the object that the constructor creates.
Val inlineConstructor(Lowering &lowering, const clang::CXXConstructExpr *construct);
// The same for the base whose constructor a class inherits, in that class's own.
Val inlineInherited(Lowering &lowering, const clang::CXXInheritedCtorInitExpr *inherited);
// Whether a call of it is inlined: of a function with `__tile__`, a lambda, a __device__ function
// that the input itself defines, and a function that the language's own header defines.
bool isInlinable(Lowering &lowering, const clang::FunctionDecl *function);

}  // namespace tile2cu::frontend
