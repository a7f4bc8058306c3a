#include "emit/transform/join_variables.h"

#include <iterator>

#include "emit/cuda/builder.h"
#include "emit/transform/live_variables.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {
namespace {

// ---- what may be joined

// A number or pointer: not `auto`, a reference or the type of a helper.
bool isScalarType(const Expr &type) {
  if (type.is(ExprKind::Pointer)) return true;
  return type.is(ExprKind::Word) && type.spelling() != "auto" &&
         type.spelling().find_first_of(" :&") == std::string::npos;
}

struct Local {
  Symbol name;
  Expr type;
  size_t scope;  // the block of its declaration
  bool isCopy = false;
};

// The scalar variables of a function that are copies of another one, or are copied to another one.
class Locals {
 public:
  explicit Locals(const Stmts &stmts) {
    collect(stmts, 0);
    llvm::erase_if(named_, [&](const auto &copy) { return !isCopy(copy.first, copy.second); });
    llvm::erase_if(all, [](const Local &local) { return !local.isCopy; });
    numbers.clear();
    for (const Local &local : all) numbers.try_emplace(local.name, numbers.size());
    for (const auto &[to, from] : named_)
      copies.emplace_back(numbers.lookup(to), numbers.lookup(from));
  }

  std::vector<Local> all;                             // in the order of their declarations
  llvm::DenseMap<Symbol, unsigned> numbers;           // their places in it
  std::vector<std::pair<unsigned, unsigned>> copies;  // to the first one from the second

  // Whether variable `a` can be used wherever `b` is.
  bool isAround(unsigned a, unsigned b) const {
    if (a > b) return false;
    size_t scope = all[b].scope;
    while (scope != all[a].scope && scope != 0) scope = parents_[scope];
    return scope == all[a].scope;
  }

 private:
  void collect(const Stmts &stmts, size_t scope) {
    for (const Stmt &stmt : stmts) {
      if (const Declare *declare = stmt.as<Declare>()) add(*declare, scope);
      if (const Assign *assign = stmt.as<Assign>())
        if (assign->op == "=" && assign->target.isName() && assign->value.isName())
          named_.emplace_back(assign->target.symbol(), assign->value.symbol());
      if (stmt.as<LocalFunction>()) {
        // It runs where it is called.
        forEachSymbol(stmt, [&](const Symbol &symbol) { inFunctions_.insert(symbol); });
      } else if (const Section *section = stmt.as<Section>()) {
        collect(section->body, scope);
      } else {
        forEachBody(stmt, [&](const Stmts &body) {
          parents_.push_back(scope);
          collect(body, parents_.size() - 1);
        });
      }
    }
  }

  void add(const Declare &declare, size_t scope) {
    const Declarator &first = declare.all.front();
    const bool isPlain = declare.all.size() == 1 && first.extents.empty() && !first.isDirect &&
                         !declare.isStatic && declare.alignment == 0;
    if (!isPlain || !isScalarType(declare.type)) return;
    numbers[first.name] = all.size();
    all.push_back({first.name, declare.type, scope});
    if (first.init && first.init.isName()) named_.emplace_back(first.name, first.init.symbol());
  }

  // Whether both are variables of this kind that may become one.
  bool isCopy(const Symbol &to, const Symbol &from) {
    const auto a = numbers.find(to), b = numbers.find(from);
    if (a == numbers.end() || b == numbers.end() || to == from) return false;
    if (inFunctions_.contains(to) || inFunctions_.contains(from)) return false;
    Local &first = all[a->second], &second = all[b->second];
    if (first.type != second.type || to.wanted() != from.wanted()) return false;
    return first.isCopy = second.isCopy = true;
  }

  std::vector<size_t> parents_ = {0};  // of each block
  std::vector<std::pair<Symbol, Symbol>> named_;
  SymbolSet inFunctions_;
};

// The variables that others become, with the variable that each becomes.
SymbolMap joined(const Locals &locals, const Stmts &stmts) {
  SymbolMap names;
  if (locals.copies.empty()) return names;
  LiveVariables live(locals.numbers, stmts);
  std::vector<unsigned> kept(locals.all.size());
  for (unsigned i = 0; i < kept.size(); ++i) kept[i] = i;
  const auto find = [&](unsigned i) {
    while (kept[i] != i) i = kept[i];
    return i;
  };
  for (const auto &[to, from] : locals.copies) {
    unsigned a = find(to), b = find(from);
    if (a > b) std::swap(a, b);
    if (a == b || live.interfere(a, b) || !locals.isAround(a, b)) continue;
    kept[b] = a;
    live.unite(a, b);
  }
  for (unsigned i = 0; i < kept.size(); ++i)
    if (kept[i] != i) names[locals.all[i].name] = locals.all[find(i)].name;
  return names;
}

// ---- the statements without the copies

class Joiner {
 public:
  explicit Joiner(const SymbolMap &names) : names_(names) {
    for (const auto &[gone, kept] : names_) kept_.insert(kept);
  }

  void rewrite(Stmts &stmts) {
    Stmts result;
    for (Stmt &stmt : stmts) {
      forEachBody(stmt, [&](Stmts &body) { rewrite(body); });
      if (isWanted(stmt)) result.push_back(std::move(stmt));
    }
    stmts = std::move(result);
  }

 private:
  // Rewrites one statement. False: it is a declaration or copy that has no purpose now.
  bool isWanted(Stmt &stmt) {
    if (const Comment *comment = stmt.as<Comment>()) return !names_.contains(comment->about);
    if (Declare *declare = stmt.as<Declare>(); declare && declare->all.size() == 1) {
      const Declarator &of = declare->all.front();
      if (kept_.contains(of.name)) declare->isConst = declare->isDroppable = false;
      if (!names_.contains(of.name)) return true;
      if (!of.init) return false;
      return assigns(stmt, named(of.name), of.init);
    }
    const Assign *assign = stmt.as<Assign>();
    if (!assign || assign->op != "=" || !assign->target.isName()) return true;
    return assigns(stmt, assign->target, assign->value);
  }

  bool assigns(Stmt &stmt, const Expr &target, const Expr &value) {
    const Expr to = renamed(target, names_), from = renamed(value, names_);
    if (!kept_.contains(to.symbol())) return true;
    if (to == from) return false;
    stmt.node = assignment(to, from).node;
    return true;
  }

  const SymbolMap &names_;
  SymbolSet kept_;
};

}  // namespace

Stmts joinVariables(Stmts stmts) {
  const SymbolMap names = joined(Locals(stmts), stmts);
  if (names.empty()) return stmts;
  Joiner(names).rewrite(stmts);
  rename(stmts, names);
  return stmts;
}

}  // namespace tile2cu::emit
