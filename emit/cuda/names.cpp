#include "emit/cuda/names.h"

#include <algorithm>

#include "emit/cuda/builder.h"
#include "emit/cuda/free_names.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {

Names::Names() { open(); }

Symbol Names::symbol(llvm::StringRef wanted, const Hint &hint) {
  const std::string second = hint.second.empty() ? "" : identifier(hint.second);
  return {identifier(wanted), {hint.origin, second}, next_++};
}

Symbol Names::take(llvm::StringRef wanted, const Hint &hint) {
  const Symbol taken = symbol(wanted, hint);
  variables_[taken] = changes_.size();
  scopes_.back().push_back(changes_.size());
  changes_.push_back(++lastChange_);
  symbols_.push_back(taken);
  return taken;
}

void Names::open() {
  scopes_.emplace_back();
  constants_.emplace_back();
}

void Names::close() {
  for (const unsigned variable : scopes_.back()) changes_[variable] = kEnded;
  scopes_.pop_back();
  constants_.pop_back();
}

void Names::release(const Symbol &variable) { changes_[variables_.lookup(variable)] = kEnded; }

const Names::Constant *Names::constant(const Expr &type, const Expr &initializer) const {
  for (const auto &scope : constants_)
    for (const Constant &known : scope)
      if (known.type == type && known.initializer == initializer && !firstChanged(known.reads))
        return &known;
  return nullptr;
}

void Names::rememberConstant(const Expr &type, const Expr &initializer, const Symbol &name) {
  Reads reads = readsOf(initializer);
  reads.append(readsOf(named(name)));
  constants_.back().push_back({name, type, initializer, std::move(reads)});
}

// ---- changes of variables

void Names::change(unsigned variable) {
  if (changes_[variable] == kEnded) return;
  log_.push_back({variable, changes_[variable]});
  changes_[variable] = ++lastChange_;
}

void Names::change(const Symbol &variable) {
  if (const auto known = variables_.find(variable); known != variables_.end())
    change(known->second);
}

void Names::change(llvm::ArrayRef<unsigned> variables) {
  for (unsigned variable : variables) change(variable);
}

void Names::addRead(const Symbol &symbol, Reads &reads) const {
  if (const auto variable = variables_.find(symbol); variable != variables_.end())
    reads.push_back({variable->second, changes_[variable->second]});
}

Reads Names::readsOf(const Expr &e) const {
  Reads reads;
  walk(e, [&](const Expr &node) {
    if (node.isName()) addRead(node.symbol(), reads);
  });
  return reads;
}

Reads Names::readsOf(const Stmts &stmts) const {
  Reads reads;
  forEachSymbol(stmts, [&](const Symbol &symbol) { addRead(symbol, reads); });
  return reads;
}

Symbol Names::firstChanged(const Reads &reads) const {
  for (const Read &read : reads)
    if (changes_[read.variable] != read.change) return symbols_[read.variable];
  return {};
}

std::vector<unsigned> Names::changedSince(Place place) const {
  std::vector<unsigned> variables;
  for (size_t i = place; i < log_.size(); ++i)
    if (changes_[log_[i].variable] != kEnded) variables.push_back(log_[i].variable);
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

std::vector<unsigned> Names::takeBack(Place place) {
  std::vector<unsigned> variables = changedSince(place);
  for (; log_.size() > place; log_.pop_back())
    if (unsigned &change = changes_[log_.back().variable]; change != kEnded)
      change = log_.back().before;
  return variables;
}

bool Names::areOthers(llvm::ArrayRef<unsigned> variables, llvm::ArrayRef<Symbol> known) const {
  return llvm::any_of(
      variables, [&](unsigned variable) { return !llvm::is_contained(known, symbols_[variable]); });
}

}  // namespace tile2cu::emit
