#include "emit/transform/live_variables.h"

#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {

LiveVariables::LiveVariables(const llvm::DenseMap<Symbol, unsigned> &numbers, const Stmts &stmts)
    : numbers_(numbers), rows_(numbers.size(), Set(numbers.size())), live_(numbers.size()) {
  all(stmts);
}

void LiveVariables::unite(unsigned a, unsigned b) {
  rows_[a] |= rows_[b];
  for (const unsigned other : rows_[b].set_bits()) rows_[other].set(a);
}

int LiveVariables::numberOf(const Symbol &variable) const {
  const auto found = numbers_.find(variable);
  return found == numbers_.end() ? -1 : static_cast<int>(found->second);
}

void LiveVariables::read(const Expr &e) {
  if (!e) return;
  walk(e, [&](const Expr &node) {
    if (!node.isName()) return;
    if (const int number = numberOf(node.symbol()); number >= 0) live_.set(number);
  });
}

void LiveVariables::write(const Symbol &variable, const Expr &from) {
  const int written = numberOf(variable);
  if (written < 0) return;
  const int copied = from && from.isName() ? numberOf(from.symbol()) : -1;
  for (const unsigned other : live_.set_bits()) {
    if (static_cast<int>(other) == written || static_cast<int>(other) == copied) continue;
    rows_[written].set(other);
    rows_[other].set(written);
  }
  live_.reset(written);
}

void LiveVariables::assign(const Assign &assign) {
  if (assign.target.isName() && assign.op == "=") {
    write(assign.target.symbol(), assign.value);
  } else {
    // An element of a variable, or a new value that is computed from the old one.
    write(assignedSymbol(assign.target), {});
    read(assign.target);
  }
  read(assign.value);
}

void LiveVariables::branch(const If &branch) {
  const Set after = live_;
  all(branch.then);
  const Set then = std::exchange(live_, after);
  all(branch.otherwise);
  live_ |= then;
  read(branch.condition);
}

// for (; condition; advance) body
void LiveVariables::loop(const Expr &condition, const Assign *advance, const Stmts &body) {
  const Set after = live_;
  Set head(live_.size()), known;
  do {
    known = head;
    live_ = head;
    if (advance) assign(*advance);
    loops_.push_back({after, live_});
    all(body);
    loops_.pop_back();
    if (condition) {
      live_ |= after;
      read(condition);
    }
    head |= live_;
  } while (head != known);
  live_ = head;
}

void LiveVariables::jump(const Jump &jump) {
  if (jump.word == "break") {
    live_ = loops_.back().left;
  } else if (jump.word == "continue") {
    live_ = loops_.back().next;
  } else {
    T2C_ASSERT(jump.word == "return");
    live_.reset();
    read(jump.value);
  }
}

void LiveVariables::one(const Stmt &stmt) {
  if (const Declare *declare = stmt.as<Declare>()) {
    for (const Declarator &each : llvm::reverse(declare->all)) {
      if (each.init) write(each.name, each.init);
      if (const int number = numberOf(each.name); number >= 0) live_.reset(number);
      read(each.init);
      for (const Expr &extent : each.extents) read(extent);
    }
  } else if (const Assign *assignment = stmt.as<Assign>()) {
    assign(*assignment);
  } else if (const If *side = stmt.as<If>()) {
    branch(*side);
  } else if (const For *counting = stmt.as<For>()) {
    loop(counting->condition, counting->condition ? &counting->advance : nullptr, counting->body);
    one({counting->start});
  } else if (const While *testing = stmt.as<While>()) {
    loop(testing->condition, nullptr, testing->body);
  } else if (const Section *section = stmt.as<Section>()) {
    all(section->body);
  } else if (const Jump *leaving = stmt.as<Jump>()) {
    jump(*leaving);
  } else if (const Eval *eval = stmt.as<Eval>()) {
    // The function may write through a reference to a variable that is an argument.
    for (const Expr &argument : eval->value.operands())
      if (argument.isName()) write(argument.symbol(), {});
    read(eval->value);
  }
}

void LiveVariables::all(const Stmts &stmts) {
  for (const Stmt &stmt : llvm::reverse(stmts)) one(stmt);
}

}  // namespace tile2cu::emit
