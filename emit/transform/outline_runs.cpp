// Runs of loops over registers in a long function, which may become functions of their own.
#include <algorithm>
#include <optional>

#include "emit/transform/count_rows.h"
#include "emit/transform/outline_candidates.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tile2cu::emit {
namespace {

using llvm::StringRef;

// The tile that a statement declares, if the declaration may move up; else null.
const Declarator *declaredTile(const Stmt &stmt) {
  const Declare *declare = stmt.as<Declare>();
  if (!declare || declare->all.size() != 1 || !variablesOf(*declare).front().isUsable)
    return nullptr;
  const Declarator &tile = declare->all.front();
  const bool isZero = tile.init.is(ExprKind::Braces) && tile.init.operands().size() == 1;
  return !tile.extents.empty() && (!tile.init || isZero) ? &tile : nullptr;
}

// The array that a statement fills, if any.
Symbol filledBy(const Stmt &stmt) {
  const Eval *eval = stmt.as<Eval>();
  const bool fills =
      eval && eval->value.isCallOf("tile2cu::fill") && eval->value.operand(1).isName();
  return fills ? eval->value.operand(1).symbol() : Symbol();
}

// The variable that the statement itself changes, or whose elements, if any.
Symbol changedBy(const Stmt &stmt) {
  if (const Assign *assign = stmt.as<Assign>())
    return changedSymbol(assign->target, Elements::Count);
  return filledBy(stmt);
}

bool isNest(const Stmt &stmt) {
  const For *loop = stmt.as<For>();
  return loop && loop->isUnrolled();
}

// A loop over registers in which each thread only computes, and that no jump leaves.
bool isQuietNest(const Stmt &stmt) {
  return isNest(stmt) && !anyOf(stmt, [](const Stmt &each) {
           return each.as<Jump>() || each.effect != Effect::None;
         });
}

// Whether a run of loops over registers can hold the statement.
bool canStandInRun(const Stmt &stmt) {
  return stmt.as<Blank>() || stmt.as<Comment>() || declaredTile(stmt) || filledBy(stmt) ||
         isQuietNest(stmt);
}

// The first member of shared memory that the place names: rows of as_vec<4>(&smem.rows[...]).
StringRef sharedMember(const Expr &place) {
  StringRef name;
  walk(place, [&](const Expr &node) {
    if (name.empty() && node.is(ExprKind::Member) && node.operand(0).isName("smem"))
      name = node.spelling();
  });
  return name;
}

// Calls `visit` for each tile in shared memory that the statements write.
void forEachSharedMade(llvm::ArrayRef<Stmt> stmts, llvm::function_ref<void(StringRef)> visit) {
  for (const Stmt &stmt : stmts) {
    const Assign *assign = stmt.as<Assign>();
    if (assign && assign->op == "=")
      if (const StringRef name = sharedMember(assign->target); !name.empty()) visit(name);
    forEachBody(stmt, [&](const Stmts &body) { forEachSharedMade(body, visit); });
  }
}

// The statements of a function have numbers, from the first to the last, those of a body after
// their owner.
struct Numbers {
  llvm::DenseMap<const Stmt *, size_t> of, after;  // after a statement and those in it
  llvm::DenseMap<Symbol, size_t> endsOfUses;       // of each: after the last statement with it

  explicit Numbers(const Stmts &body) { count(body); }

  void count(const Stmts &stmts) {
    for (const Stmt &stmt : stmts) {
      of[&stmt] = next_++;
      forEachOwnSymbol(stmt, [&](const Symbol &symbol) { endsOfUses[symbol] = next_; });
      forEachBody(stmt, [&](const Stmts &inside) { count(inside); });
      after[&stmt] = next_;
    }
  }

 private:
  size_t next_ = 0;
};

constexpr size_t kMostNames = 3;  // that a run may make

// Whether the run up to each of its statements makes few enough names for a function. It makes the
// variables from in front of it that it assigns, and its own tiles that are read after it; tiles
// in shared memory only if it makes no others.
class NameCount {
 public:
  NameCount(llvm::ArrayRef<Stmt> run, const Numbers &numbers, const Scopes &scopes)
      : numbers_(numbers),
        scopes_(scopes),
        begin_(numbers.of.lookup(&run.front())),
        end_(numbers.after.lookup(&run.back())),
        variables_(end_ - begin_ + 2),
        shared_(end_ - begin_ + 2) {
    add(run);
    int variables = 0, shared = 0;
    for (size_t i = 0; i <= end_ - begin_; ++i) {
      variables += variables_[i];
      shared += shared_[i];
      const int made = variables ? variables : shared;
      few_.push_back(made > 0 && made <= int{kMostNames});
    }
  }

  // For the run that ends with this statement.
  bool areFew(const Stmt &last) const { return few_[numbers_.after.lookup(&last) - begin_]; }

 private:
  void add(llvm::ArrayRef<Stmt> stmts) {
    for (const Stmt &stmt : stmts) {
      if (fromOutside_ > kMostNames) return;
      if (const Declarator *tile = declaredTile(stmt)) {
        declared_.insert(tile->name);
        continue;
      }
      const size_t next = numbers_.of.lookup(&stmt) + 1;
      if (const Symbol changed = changedBy(stmt)) addVariable(changed, next);
      if (const Assign *assign = stmt.as<Assign>(); assign && assign->op == "=")
        if (const StringRef name = sharedMember(assign->target);
            !name.empty() && sharedNames_.insert(name).second)
          ++shared_[next - begin_];
      forEachBody(stmt, [&](const Stmts &body) { add(body); });
    }
  }

  void addVariable(const Symbol &name, size_t next) {
    const bool isOwn = declared_.contains(name);
    if ((!isOwn && !scopes_.contains(name)) || !changed_.insert(name).second) return;
    const size_t last = isOwn ? std::min(numbers_.endsOfUses.lookup(name), end_ + 1) : end_ + 1;
    if (last <= next) return;
    ++variables_[next - begin_];
    --variables_[last - begin_];
    fromOutside_ += !isOwn;
  }

  const Numbers &numbers_;
  const Scopes &scopes_;
  size_t begin_, end_;
  // By how much the numbers change from the run to one statement to that to the next.
  std::vector<int> variables_, shared_;
  SymbolSet declared_, changed_;
  llvm::StringSet<> sharedNames_;
  size_t fromOutside_ = 0;
  std::vector<bool> few_;
};

class RunFinder : public CandidateFinder {
 public:
  explicit RunFinder(const Stmts &body) : numbers_(body) {}

 private:
  size_t visit(Stmts &, size_t i) override { return i + 1; }

  void visitAll(Stmts &list) override {
    size_t end = 0, next = 0;
    std::vector<size_t> ends;  // after the run's loops
    for (size_t i = 0; i < list.size();) {
      if (i >= end) {
        end = endOfRun(list, i, ends);
        next = 0;
      }
      while (next < ends.size() && ends[next] <= i) ++next;
      const auto after = llvm::ArrayRef(ends).drop_front(next);
      size_t to = i + 1;
      if (takeLongest(list, i, after))
        to = found_.back().end;
      else if (end > i)
        to = after.empty() ? end : after.front();
      else if (!isNest(list[i]))
        enter(list[i]);
      moveTo(list, i, to);
    }
  }

  static size_t endOfRun(const Stmts &list, size_t begin, std::vector<size_t> &ends) {
    ends.clear();
    size_t end = begin;
    for (; end < list.size() && canStandInRun(list[end]); ++end)
      if (isNest(list[end])) ends.push_back(end + 1);
    return end;
  }

  // Adds the most of the statements from `begin` to the last of `ends`, each after a loop, that
  // make a function.
  bool takeLongest(Stmts &list, size_t begin, llvm::ArrayRef<size_t> ends) {
    while (begin < list.size() && list[begin].as<Blank>()) ++begin;
    if (ends.empty() || ends.back() <= begin) return false;
    const llvm::ArrayRef<Stmt> run = llvm::ArrayRef(list).slice(begin, ends.back() - begin);
    const NameCount names(run, numbers_, scopes_);
    for (const size_t end : llvm::reverse(ends)) {
      if (end <= begin) return false;
      if (!names.areFew(list[end - 1])) continue;
      if (countRows(run.take_front(end - begin)) < fewestRowsAtLast()) return false;
      if (take(list, begin, end)) return true;
    }
    return false;
  }

  // Adds the statements, which are a run, as a function compute_weights_row_sums. Tiles that are
  // read after it are declared in front of it.
  bool take(Stmts &list, size_t begin, size_t end) {
    Candidate run{&list, begin, end, depth_, "", ""};
    const size_t after = numbers_.after.lookup(&list[end - 1]);
    std::vector<Symbol> own;  // tiles that it makes for what is after it
    for (size_t i = begin; i < end; ++i) {
      const Declarator *tile = declaredTile(list[i]);
      if (!tile || numbers_.endsOfUses.lookup(tile->name) <= after) {
        run.statements.push_back(list[i]);
        continue;
      }
      // The comment on its layout stays with it.
      const Comment *words = run.statements.empty() ? nullptr : run.statements.back().as<Comment>();
      if (words && words->about == tile->name) {
        run.before.push_back(std::move(run.statements.back()));
        run.statements.pop_back();
      }
      run.before.push_back(list[i]);
      own.push_back(tile->name);
    }
    std::vector<Symbol> made = variablesMade(run.statements, own);
    const bool isShared = made.empty();
    if (isShared) made = sharedMade(run.statements);
    if (made.empty() || made.size() > kMostNames) return false;
    run.name = isShared ? "store" : "compute";
    for (const Symbol &each : made) run.name += "_" + each.wanted().str();
    run.comment = isShared ? "Writes to shared memory: " : "Computes ";
    run.comment += inWords(made) + ".";
    add(std::move(run));
    return true;
  }

  // The variables from in front of the statements, and those of `own`, that they assign, in the
  // order in which they are first mentioned.
  std::vector<Symbol> variablesMade(const Stmts &stmts, llvm::ArrayRef<Symbol> own) const {
    SymbolSet changed = changedSymbols(stmts, Elements::Count);
    addFilled(stmts, changed);
    std::vector<Symbol> made;
    SymbolSet seen;
    forEachSymbol(stmts, [&](const Symbol &symbol) {
      if (!seen.insert(symbol).second || !changed.contains(symbol)) return;
      if (scopes_.contains(symbol) || llvm::is_contained(own, symbol)) made.push_back(symbol);
    });
    return made;
  }

  static void addFilled(const Stmts &stmts, SymbolSet &names) {
    for (const Stmt &stmt : stmts) {
      names.insert(filledBy(stmt));
      forEachBody(stmt, [&](const Stmts &body) { addFilled(body, names); });
    }
  }

  // Members of shared memory have their names already.
  static std::vector<Symbol> sharedMade(const Stmts &stmts) {
    std::vector<Symbol> made;
    forEachSharedMade(stmts, [&](StringRef name) {
      if (!llvm::is_contained(made, Symbol(name))) made.emplace_back(name);
    });
    return made;
  }

  const Numbers numbers_;
};

}  // namespace

std::vector<Candidate> findRuns(Stmts &body, const Kept &) { return RunFinder(body).find(body); }

}  // namespace tile2cu::emit
