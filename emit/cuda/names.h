// Variables of a kernel's text while it is lowered, and the changes of their values.
//
// The emitter remembers, for a value, the expression that computes it, the variables that this
// reads, and how often each of them had changed by then (`Reads`). The expression holds as long as
// all of them are in scope and have not changed again.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/ast.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

struct Read {
  unsigned variable, change;
};
using Reads = llvm::SmallVector<Read, 2>;

class Names {
 public:
  Names();
  // A new variable, which lives until the current scope ends.
  Symbol take(llvm::StringRef wanted, const Hint &hint = {});
  // A symbol for something else than a variable.
  Symbol symbol(llvm::StringRef wanted, const Hint &hint = {});
  // Numbers symbols after those of another text of the kernel.
  void startAfter(const Names &others) { next_ = others.next_; }
  // Ends the scope of one variable.
  void release(const Symbol &variable);
  void open();
  void close();
  // A number that is declared once for several readers.
  struct Constant {
    Symbol name;
    Expr type, initializer;
    Reads reads;  // of its initializer, and itself
  };
  // The constant of an enclosing scope that was declared with this type and initializer, if
  // nothing that the initializer reads has changed since; otherwise null.
  const Constant *constant(const Expr &type, const Expr &initializer) const;
  void rememberConstant(const Expr &type, const Expr &initializer, const Symbol &name);

  // ---- changes of variables

  // The variable has another value from here on.
  void change(const Symbol &variable);
  // The variables that an expression or statements mention, as they are now.
  Reads readsOf(const Expr &e) const;
  Reads readsOf(const Stmts &stmts) const;
  // The first of them that is no longer in scope or has changed, if any.
  Symbol firstChanged(const Reads &reads) const;

  // A place in the order of the changes. The changes after it can be asked for. They can be taken
  // back where the next part of the text does not run after this one: the other side of a branch
  // begins with the values from before the branch.
  using Place = size_t;
  Place place() const { return log_.size(); }
  std::vector<unsigned> changedSince(Place place) const;  // variables that are in scope
  std::vector<unsigned> takeBack(Place place);            // the same variables
  void change(llvm::ArrayRef<unsigned> variables);
  // How many variables there have been so far: these are numbered below.
  unsigned count() const { return changes_.size(); }
  // Whether one of the variables is not among these.
  bool areOthers(llvm::ArrayRef<unsigned> variables, llvm::ArrayRef<Symbol> known) const;

 private:
  static constexpr unsigned kEnded = 0;  // the change of a variable that is not in scope

  void change(unsigned variable);
  void addRead(const Symbol &symbol, Reads &reads) const;

  std::vector<std::vector<unsigned>> scopes_;  // the variables of each
  std::vector<std::vector<Constant>> constants_;
  llvm::DenseMap<Symbol, unsigned> variables_;
  std::vector<unsigned> changes_;  // of each variable, the number of its last change
  std::vector<Symbol> symbols_;    // of each variable
  unsigned next_ = 0;              // the number of the next symbol
  unsigned lastChange_ = kEnded;
  struct Change {
    unsigned variable, before;
  };
  std::vector<Change> log_;
};

}  // namespace tile2cu::emit
