// Names in one kernel's text. Those of the user stay; a number is added only where two would clash
// in one scope.
//
// A name that is taken is a variable of the text. Names also counts the changes of each variable's
// value. The emitter remembers, for a value, the text that computes it, the variables that this
// text reads, and how often each of them had changed by then (`Reads`). The text holds as long as
// all of them are in scope and have not changed again.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/cuda/ast.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

struct Read {
  unsigned variable, change;
};
using Reads = llvm::SmallVector<Read, 2>;

class Names {
 public:
  Names();
  // A name that no enclosing scope uses, nor any of `others`: `wanted`, or wanted_2, wanted_3, ...
  // It is taken until the current scope ends.
  std::string take(llvm::StringRef wanted, const std::set<std::string> &others = {});
  // The same for the whole kernel, whatever scope is open: no variable has had the name yet. A
  // constant is declared at the top, and is not a variable.
  std::string takeForKernel(llvm::StringRef wanted);
  // Takes the name if it is free. It is not a variable.
  bool reserve(llvm::StringRef name);
  // Ends the scope of one name.
  void release(const std::string &name);
  void open();
  void close();
  // A number that is declared once for several readers.
  struct Constant {
    std::string name;
    Reads reads;  // of its initializer, and itself
  };
  // The constant of an enclosing scope that was declared with this type and initializer, if
  // nothing that the initializer reads has changed since; otherwise null.
  const Constant *constant(const std::string &type, const Expr &initializer) const;
  void rememberConstant(const std::string &type, const Expr &initializer, const std::string &name);

  // ---- changes of variables

  // The variable has another value from here on.
  void change(const std::string &name);
  // The variables that an expression or statements mention, as they are now.
  Reads readsOf(const Expr &e) const;
  Reads readsOf(const Stmts &stmts) const;
  // The first of them that is no longer in scope or has changed; empty: none.
  std::string firstChanged(const Reads &reads) const;

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
  // Whether one of the variables is not among those of these names.
  bool areOthers(llvm::ArrayRef<unsigned> variables, llvm::ArrayRef<std::string> names) const;

 private:
  static constexpr unsigned kEnded = 0;  // the change of a variable that is not in scope

  bool used(const std::string &name) const;
  std::string freeName(llvm::StringRef wanted, const std::set<std::string> &others = {});
  void end(const std::string &name);
  void change(unsigned variable);

  std::vector<std::set<std::string>> scopes_;
  std::vector<std::map<std::string, Constant>> constants_;
  // For each scope, x -> n: while the scope is open, the names x, x_2, ..., x_n are all used. A
  // search begins after them, so that taking one name n times does not need n^2 look-ups.
  std::vector<std::map<std::string, int>> taken_;
  llvm::StringMap<unsigned> variables_;  // those in scope
  std::vector<unsigned> changes_;        // of each variable, the number of its last change
  std::vector<std::string> names_;       // of each variable
  unsigned lastChange_ = kEnded;
  struct Change {
    unsigned variable, before;
  };
  std::vector<Change> log_;
};

// A name for one element of a tile with a plural name: cols -> col.
std::string singular(llvm::StringRef name);
// softmax_wide -> SoftmaxWide
std::string camelCase(llvm::StringRef name);

}  // namespace tile2cu::emit
