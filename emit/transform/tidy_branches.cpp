#include "emit/transform/tidy_branches.h"

#include "emit/cuda/builder.h"
#include "emit/transform/scopes.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {
namespace {

bool doesNothing(const Stmt &stmt) { return stmt.as<Comment>() || stmt.as<Blank>(); }
bool isEmpty(const Stmts &stmts) { return llvm::all_of(stmts, doesNothing); }

// Whether the statements only copy values.
bool onlyCopies(const Stmts &stmts) {
  return llvm::all_of(stmts, [](const Stmt &stmt) {
    if (const For *loop = stmt.as<For>()) return loop->isUnrolled() && onlyCopies(loop->body);
    const Assign *assign = stmt.as<Assign>();
    return assign && assign->op == "=" &&
           (assign->value.isAtom() || assign->value.is(ExprKind::Index));
  });
}

// Whether a branch is all that the statements do.
bool isBranch(const Stmts &stmts) {
  return !stmts.empty() && stmts.back().as<If>() &&
         llvm::all_of(llvm::ArrayRef(stmts).drop_back(), doesNothing);
}

class Tidier {
 public:
  void tidy(Stmts &stmts) {
    Stmts result;
    result.reserve(stmts.size());
    uninitialized_.clear();
    for (Stmt &stmt : stmts) {
      forEachBody(stmt, [](Stmts &body) { Tidier().tidy(body); });
      If *branch = stmt.as<If>();
      if (branch && !branch->isShort && !branch->isChain) {
        // `else` first: the condition stays as it is. A chain of `else if` stays one.
        if (!startFrom(branch->otherwise, result) && !isBranch(branch->otherwise))
          startFrom(branch->then, result);
        dropEmptySides(*branch);
      }
      if (!branch || !isEmpty(branch->then)) add(std::move(stmt), result);
    }
    stmts = std::move(result);
  }

 private:
  void add(Stmt stmt, Stmts &result) {
    const Declare *declare = stmt.as<Declare>();
    const bool isBare = declare && declare->all.size() == 1 && !declare->all.front().init &&
                        declare->all.front().extents.empty();
    if (isBare)
      uninitialized_[declare->all.front().name] = result.size();
    else if (!doesNothing(stmt))
      uninitialized_.clear();
    result.push_back(std::move(stmt));
  }

  // Moves the values that a side of a branch gives to variables declared just above it to these
  // declarations, which are in `above`.
  bool startFrom(Stmts &side, Stmts &above) {
    if (isEmpty(side) || !onlyCopies(side)) return false;
    const size_t before = side.size();
    const SymbolSet changed = changedSymbols(side, Elements::Count);
    llvm::erase_if(side, [&](Stmt &stmt) {
      const Assign *assign = stmt.as<Assign>();
      if (!assign || !assign->target.isName() || !assign->value.isAtom()) return false;
      const auto declared = uninitialized_.find(assign->target.symbol());
      const bool isKnownAbove =
          !assign->value.isName() || !changed.contains(assign->value.symbol());
      if (declared == uninitialized_.end() || !isKnownAbove) return false;
      above[declared->second].as<Declare>()->all.front().init = assign->value;
      return true;
    });
    return side.size() < before;
  }

  static void dropEmptySides(If &branch) {
    if (isEmpty(branch.otherwise)) branch.otherwise.clear();
    if (!isEmpty(branch.then) || branch.otherwise.empty()) return;
    const Expr &condition = branch.condition;
    branch.condition =
        condition.is(ExprKind::Unary, "!") ? condition.operand(0) : unary("!", condition);
    branch.then = std::move(branch.otherwise);
    branch.otherwise.clear();
  }

  // The variables that are declared above a branch without a value, and where.
  llvm::DenseMap<Symbol, size_t> uninitialized_;
};

}  // namespace

Stmts tidyBranches(Stmts stmts) {
  Tidier().tidy(stmts);
  return stmts;
}

}  // namespace tile2cu::emit
