// Variables of statements: those visible at a statement, and those that statements change.
#include "emit/transform/scopes.h"

#include <set>

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {

// No parameter can stand for a lambda, a reference, a variable whose type is deduced or computed,
// or a pointer that is declared together with others. The extent of an array is deduced only if it
// is a single name or number.
std::vector<Variable> variablesOf(const Declare &declare) {
  const bool isComputed =
      anyOf(declare.type, [](const Expr &node) { return node.is(ExprKind::Binary); });
  const bool isDeduced =
      declare.type.is(ExprKind::Word, "auto") || declare.type.is(ExprKind::Word, "auto&");
  const bool isAmongPointers = declare.all.size() > 1 && declare.type.is(ExprKind::Pointer);
  std::vector<Variable> all;
  for (const Declarator &each : declare.all) {
    const bool canDeduce = llvm::all_of(each.extents, [](const Expr &e) { return e.isAtom(); });
    all.push_back({declare.type, each.name, each.extents, declare.isConst,
                   !isComputed && !isDeduced && !isAmongPointers && canDeduce});
  }
  return all;
}

Symbol changedSymbol(const Expr &target, Elements elements) {
  if (target.isName()) return target.symbol();
  const bool isElement = target.is(ExprKind::Index) || target.is(ExprKind::Unary, "*");
  if (target.is(ExprKind::Member) || (isElement && elements == Elements::Count))
    return changedSymbol(target.operand(0), elements);
  return {};
}

static void addChanged(const Stmt &stmt, Elements elements, SymbolSet &symbols) {
  const For *loop = stmt.as<For>();
  const Assign *assign = loop && loop->condition ? &loop->advance : stmt.as<Assign>();
  if (assign) symbols.insert(changedSymbol(assign->target, elements));
  forEachBody(stmt, [&](const Stmts &body) {
    for (const Stmt &each : body) addChanged(each, elements, symbols);
  });
}

SymbolSet changedSymbols(llvm::ArrayRef<Stmt> stmts, Elements elements) {
  SymbolSet symbols;
  for (const Stmt &stmt : stmts) addChanged(stmt, elements, symbols);
  return symbols;
}

void Scopes::declare(Variable variable) {
  positions_[variable.name].push_back(visible_.size());
  visible_.push_back(std::move(variable));
}

void Scopes::declare(const Stmt &stmt) {
  if (const Declare *declaration = stmt.as<Declare>())
    for (Variable &each : variablesOf(*declaration)) declare(std::move(each));
  if (const LocalFunction *function = stmt.as<LocalFunction>())
    declare({Expr{}, function->name, {}, true, false});
  if (const Section *section = stmt.as<Section>())
    for (const Stmt &each : section->body) declare(each);
}

void Scopes::close() {
  for (; visible_.size() > begins_.back(); visible_.pop_back())
    positions_[visible_.back().name].pop_back();
  begins_.pop_back();
}

bool Scopes::contains(const Symbol &symbol) const {
  const auto found = positions_.find(symbol);
  return found != positions_.end() && !found->second.empty();
}

std::vector<Variable> Scopes::mentionedIn(llvm::ArrayRef<Stmt> stmts) const {
  std::set<size_t> found;
  for (const Stmt &stmt : stmts)
    forEachSymbol(stmt, [&](const Symbol &symbol) {
      if (const auto at = positions_.find(symbol); at != positions_.end())
        found.insert(at->second.begin(), at->second.end());
    });
  std::vector<Variable> mentioned;
  for (const size_t at : found) mentioned.push_back(visible_[at]);
  return mentioned;
}

}  // namespace tile2cu::emit
