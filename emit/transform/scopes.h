// Variables of statements: those visible at a statement, and those that statements change.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/ast.h"
#include "llvm/ADT/DenseMap.h"

namespace tile2cu::emit {

// A variable of a function.
struct Variable {
  Expr type;
  Symbol name;
  std::vector<Expr> extents = {};
  bool isConst = false;
  bool isUsable = true;  // the type is one that a parameter can have
};

std::vector<Variable> variablesOf(const Declare &declare);

// Whether an assignment to an element counts as one to the variable.
enum class Elements : uint8_t { Count, DoNotCount };

// The variable that an assignment to `target` changes, if any: x of x and x.value, with its
// elements also of x[i], x[i].value and *x.
Symbol changedSymbol(const Expr &target, Elements elements);
// Those that the statements assign.
SymbolSet changedSymbols(llvm::ArrayRef<Stmt> stmts, Elements elements);

// The variables that are visible at a statement. Statements are declared from first to last.
class Scopes {
 public:
  void open() { begins_.push_back(visible_.size()); }
  void close();
  void declare(Variable variable);
  // The variables of the statement, for those after it in its block.
  void declare(const Stmt &stmt);
  bool contains(const Symbol &symbol) const;
  // Those that the statements mention, in the order of their declarations.
  std::vector<Variable> mentionedIn(llvm::ArrayRef<Stmt> stmts) const;

 private:
  std::vector<Variable> visible_;
  std::vector<size_t> begins_;                             // of each open scope, its first
  llvm::DenseMap<Symbol, std::vector<size_t>> positions_;  // in visible_
};

}  // namespace tile2cu::emit
