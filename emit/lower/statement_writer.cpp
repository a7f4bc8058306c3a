#include "emit/lower/statement_writer.h"

namespace tile2cu::emit {

void StatementWriter::addStore(Stmt stmt) {
  if (!stmt.as<Blank>() && !stmt.as<Comment>()) isAfterComment_ = false;
  out_.add(std::move(stmt));
}

void StatementWriter::open(Stmt stmt) {
  isAfterComment_ = false;
  out_.open(std::move(stmt));
}

void StatementWriter::close() {
  isAfterComment_ = false;
  out_.close();
}

void StatementWriter::add(Stmt stmt) {
  const Stmt *inner = &stmt;
  while (const If *branch = inner->as<If>()) inner = &branch->then.front();
  llvm::SmallVector<Symbol, 1> changed;
  if (const Declare *declare = inner->as<Declare>())
    for (const Declarator &each : declare->all)
      if (each.init) changed.push_back(each.name);
  if (const Assign *assign = inner->as<Assign>()) changed.push_back(assignedSymbol(assign->target));
  addStore(std::move(stmt));
  for (const Symbol &variable : changed) names_.change(variable);
}

static constexpr size_t kWidth = 88;  // of a row of a comment

void StatementWriter::comment(const CommentText &text, const Symbol &about, bool isHead) {
  add({Comment{text.wrapped(kWidth), about, isHead}});
}

void StatementWriter::commentList(const CommentText &start, llvm::ArrayRef<CommentText> items,
                                  const Symbol &about) {
  const CommentText row = start + joined(items, ", ") + ".";
  comment(row.str().size() <= kWidth ? row : start + joined(items, ",\n  ") + ".", about);
}

void StatementWriter::declareScalar(const Expr &type, const Symbol &name, const Expr &init) {
  Stmt declaration = constant(type, name, init);
  declaration.as<Declare>()->isDroppable = true;
  add(std::move(declaration));
}

bool StatementWriter::isDeclaredLast(const Expr &variable) const {
  const Stmt *last = out_.last();
  const Declare *declare = last ? last->as<Declare>() : nullptr;
  return declare && variable.isName(declare->all.back().name);
}

}  // namespace tile2cu::emit
