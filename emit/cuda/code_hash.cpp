#include "emit/cuda/code_hash.h"

#include "llvm/Support/xxhash.h"

namespace tile2cu::emit {

uint64_t CodeHash::value() const { return llvm::xxh3_64bits(bytes_); }

void CodeHash::add(uint64_t number) { bytes_ += std::to_string(number) + ' '; }

// With its length, so that no two lists of texts are the same bytes.
void CodeHash::add(llvm::StringRef text) {
  add(text.size());
  bytes_ += text;
}

void CodeHash::add(const Symbol &symbol) {
  add(uint64_t{numbers_.try_emplace(symbol, numbers_.size()).first->second});
}

template <class T>
void CodeHash::addEach(const T &all) {
  add(all.size());
  for (const auto &each : all) add(each);
}

void CodeHash::add(const Expr &e) {
  if (!e) return add(uint64_t{0});
  add(1 + uint64_t(e.kind()));
  if (e.isName()) return add(e.symbol());
  add(e.spelling());
  addEach(e.operands());
}

void CodeHash::add(const Declarator &declarator) {
  add(declarator.name);
  addEach(declarator.extents);
  add(declarator.init);
  add(declarator.isDirect);
}

void CodeHash::add(const FunctionParameter &parameter) {
  add(parameter.type);
  add(parameter.name);
  addEach(parameter.extents);
  add(parameter.isConst);
  add(parameter.isReference);
  add(parameter.isRestrict);
  add(parameter.init);
}

void CodeHash::add(const Declare &declare) {
  add(declare.type);
  addEach(declare.all);
  add(declare.isConst);
  add(declare.isStatic);
  add(declare.alignment);
}

void CodeHash::add(const Assign &assign) {
  add(assign.target);
  add(assign.op);
  add(assign.value);
}

void CodeHash::add(const If &branch) {
  add(branch.condition);
  add(branch.then);
  add(branch.otherwise);
}

void CodeHash::add(const For &loop) {
  add(loop.unroll);
  add(loop.start);
  add(loop.condition);
  add(loop.advance);
  add(loop.body);
}

void CodeHash::add(const While &loop) {
  add(loop.condition);
  add(loop.body);
}

void CodeHash::add(const LocalFunction &function) {
  add(function.name);
  addEach(function.parameters);
  add(function.body);
}

void CodeHash::add(const Jump &jump) {
  add(jump.word);
  add(jump.value);
}

void CodeHash::add(const Record &record) {
  add(record.word);
  add(record.members);
}

void CodeHash::add(const CallOperator &function) {
  add(function.result);
  addEach(function.parameters);
  add(function.body);
}

void CodeHash::add(const Stmt &stmt) {
  if (const Section *section = stmt.as<Section>()) {
    for (const Stmt &each : section->body) add(each);
    return;
  }
  if (stmt.as<Comment>() || stmt.as<Blank>()) return;
  add(uint64_t(stmt.node.index()));
  std::visit([this](const auto &node) { add(node); }, stmt.node);
}

void CodeHash::add(const Stmts &stmts) {
  bytes_ += '{';
  for (const Stmt &stmt : stmts) add(stmt);
  bytes_ += '}';
}

void CodeHash::add(const Function &function) {
  numbers_.clear();
  addInside(function);
}

void CodeHash::add(const Struct &record) {
  numbers_.clear();
  addInside(record);
}

void CodeHash::addInside(const Function &function) {
  add(function.name);
  for (const Symbol &number : function.numbers) add(number);
  add(function.head);
  add(function.launchBounds);
  addEach(function.parameters);
  add(function.body);
}

void CodeHash::addInside(const Struct &record) {
  add(record.name.wanted());
  for (const Symbol &number : record.numbers) add(number);
  add(record.members);
  if (!record.data.empty()) add(record.data);
  // Each knows the names of this struct, and none of the others' own.
  const llvm::DenseMap<Symbol, unsigned> known = numbers_;
  for (const Struct &inside : record.structs) {
    addInside(inside);
    numbers_ = known;
  }
  for (const Function &function : record.functions) {
    addInside(function);
    numbers_ = known;
  }
}

}  // namespace tile2cu::emit
