// Which variables of a function may not share storage.
#pragma once
#include <utility>
#include <vector>

#include "emit/cuda/ast.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace tile2cu::emit {

// Finds, among some variables, those that are written while the value of another is still to be
// read. A copy from one to the other does not count: both have the same value then.
//
// The statements are walked from the last to the first with the set of live variables: those that
// may be read before they are written again. Loops are walked until the set no longer grows.
class LiveVariables {
 public:
  // `numbers`: of the variables, from 0 on. They may be in no local function.
  LiveVariables(const llvm::DenseMap<Symbol, unsigned> &numbers, const Stmts &stmts);

  // Whether variable `a` is written while `b` is live, or the other way round.
  bool interfere(unsigned a, unsigned b) const { return rows_[a][b]; }
  // From now on, `a` also interferes with whatever `b` does.
  void unite(unsigned a, unsigned b);

 private:
  using Set = llvm::BitVector;

  void all(const Stmts &stmts);
  void one(const Stmt &stmt);
  void branch(const If &branch);
  void loop(const Expr &condition, const Assign *advance, const Stmts &body);
  void jump(const Jump &jump);
  void assign(const Assign &assign);
  // The variable gets a value, which is a copy of `from` if that is a name.
  void write(const Symbol &variable, const Expr &from);
  void read(const Expr &e);
  int numberOf(const Symbol &variable) const;

  const llvm::DenseMap<Symbol, unsigned> &numbers_;
  std::vector<Set> rows_;
  Set live_;
  // The variables that are live where `break` and `continue` of the loops around go, the innermost
  // last.
  struct Exits {
    Set left, next;
  };
  std::vector<Exits> loops_;
};

}  // namespace tile2cu::emit
