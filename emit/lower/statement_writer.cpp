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

// A variable gives nullptr its type.
static void dropCastOfNull(Expr &value) {
  const bool isNull = value && value.is(ExprKind::Call) && value.operands().size() == 2 &&
                      value.operand(1).is(ExprKind::Word, "nullptr");
  if (isNull) value = value.operand(1);
}

void StatementWriter::add(Stmt stmt) {
  Stmt *inner = &stmt;
  while (If *branch = inner->as<If>()) inner = &branch->then.front();
  llvm::SmallVector<Symbol, 1> changed;
  if (Declare *declare = inner->as<Declare>())
    for (Declarator &each : declare->all) {
      dropCastOfNull(each.init);
      if (each.init) changed.push_back(each.name);
    }
  if (Assign *assign = inner->as<Assign>()) {
    dropCastOfNull(assign->value);
    changed.push_back(assignedSymbol(assign->target));
  }
  addStore(std::move(stmt));
  for (const Symbol &variable : changed) names_.change(variable);
}

static constexpr size_t kWidth = 88;  // of a row of a comment

void StatementWriter::comment(const CommentText &text, const Symbol &about, Quote quote) {
  add({Comment{text.wrapped(kWidth), about, quote}});
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
