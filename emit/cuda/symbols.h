// Variables of a kernel's text while it is lowered, and the changes of their values.
//
// A variable is a symbol: what it is wanted to be called, and a number that no other has. It gets
// its name when the function that it stands in is complete (choose_names.h). Until then a symbol
// stands wherever a name does: in nodes, and in comments.
//
// The emitter remembers, for a value, the text that computes it, the variables that this text
// reads, and how often each of them had changed by then (`Reads`). The text holds as long as all of
// them are in scope and have not changed again.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/ast.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

bool isSymbol(llvm::StringRef name);
// The name that a symbol is wanted to have; another name itself.
llvm::StringRef wantedName(llvm::StringRef name);
// The name that a symbol is to have where the wanted one is taken; empty: the wanted one with a
// number.
llvm::StringRef secondName(llvm::StringRef symbol);
// The one of the two that a symbol is to have, where `isFree` says which names are not taken.
llvm::StringRef freeName(llvm::StringRef symbol, llvm::function_ref<bool(llvm::StringRef)> isFree);
// Whether the wanted name is the emitter's: it is not given to two variables where the user has
// one of that name.
bool isGenerated(llvm::StringRef symbol);
// The symbol with another number, which no variable has while the text is lowered.
std::string renumbered(llvm::StringRef symbol, size_t number);
// A comment with names for its symbols.
std::string withNames(llvm::StringRef text, const NameMap &names);
std::string withWantedNames(llvm::StringRef text);

struct Read {
  unsigned variable, change;
};
using Reads = llvm::SmallVector<Read, 2>;

enum class Origin : uint8_t { User, Generated };

// How a variable is to be called.
struct Hint {
  Origin origin = Origin::User;
  std::string second = {};
};

class Names {
 public:
  Names();
  // A new variable, which lives until the current scope ends.
  std::string take(llvm::StringRef wanted, const Hint &hint = {});
  // A symbol for something else than a variable.
  std::string symbol(llvm::StringRef wanted, const Hint &hint = {});
  // Numbers symbols after those of another text of the kernel.
  void startAfter(const Names &others) { next_ = others.next_; }
  // Ends the scope of one variable.
  void release(const std::string &name);
  void open();
  void close();
  // A number that is declared once for several readers.
  struct Constant {
    std::string name;
    Expr type, initializer;
    Reads reads;  // of its initializer, and itself
  };
  // The constant of an enclosing scope that was declared with this type and initializer, if
  // nothing that the initializer reads has changed since; otherwise null.
  const Constant *constant(const Expr &type, const Expr &initializer) const;
  void rememberConstant(const Expr &type, const Expr &initializer, const std::string &name);

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

  void change(unsigned variable);

  std::vector<std::vector<unsigned>> scopes_;  // the variables of each
  std::vector<std::vector<Constant>> constants_;
  llvm::StringMap<unsigned> variables_;
  std::vector<unsigned> changes_;   // of each variable, the number of its last change
  std::vector<std::string> names_;  // of each variable
  unsigned next_ = 0;               // the number of the next symbol
  unsigned lastChange_ = kEnded;
  struct Change {
    unsigned variable, before;
  };
  std::vector<Change> log_;
};

}  // namespace tile2cu::emit
