// Which variables a loop's body may change, and whether an expression can differ from one iteration
// to the next.
#pragma once
#include <set>

namespace clang {
class Expr;
class Stmt;
class ValueDecl;
}  // namespace clang

namespace tile2cu::frontend {

// Whether `body` may assign `variable`: by name, through a reference, or in a lambda that it calls.
bool changes(const clang::Stmt *body, const clang::ValueDecl *variable);

// Whether each of the expressions has one value for the whole loop: it reads no memory, no variable
// that `body` may change, and not `variable`, which the loop itself changes.
bool staysTheSame(const clang::Stmt *body, const clang::ValueDecl *variable,
                  std::initializer_list<const clang::Expr *> expressions);

}  // namespace tile2cu::frontend
