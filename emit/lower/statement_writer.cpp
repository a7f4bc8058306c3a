#include "emit/lower/statement_writer.h"

#include "llvm/ADT/StringExtras.h"

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
  llvm::SmallVector<std::string, 1> changed;
  if (const Declare *declare = inner->as<Declare>())
    for (const Declarator &each : declare->all)
      if (each.init) changed.push_back(each.name);
  if (const Assign *assign = inner->as<Assign>())
    changed.push_back(assignedName(assign->target).str());
  addStore(std::move(stmt));
  for (const std::string &name : changed) names_.change(name);
}

void StatementWriter::comment(const std::string &text, const std::string &about) {
  constexpr size_t kWidth = 88;
  std::vector<std::string> rows;
  size_t at = 0;
  while (at <= text.size()) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string row = text.substr(at, end - at);
    while (row.size() > kWidth) {
      size_t space = row.rfind(' ', kWidth);
      if (space == std::string::npos || space == 0) break;
      rows.push_back(row.substr(0, space));
      row = row.substr(space + 1);
    }
    rows.push_back(row);
    at = end + 1;
  }
  add({Comment{llvm::join(rows, "\n"), about}});
}

void StatementWriter::declareScalar(const Expr &type, const std::string &name, const Expr &init) {
  Stmt declaration = constant(type, name, init);
  declaration.as<Declare>()->isDroppable = true;
  add(std::move(declaration));
}

bool StatementWriter::isDeclaredLast(const Expr &variable) const {
  const Stmt *last = out_.last();
  const Declare *declare = last ? last->as<Declare>() : nullptr;
  return declare && variable.isName() && declare->all.back().name == variable.spelling();
}

}  // namespace tile2cu::emit
