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

static constexpr size_t kWidth = 88;  // of a row of a comment

// Symbols are as wide as what they are wanted to be called.
static size_t widthOf(llvm::StringRef row) { return withWantedNames(row).size(); }

// The row in rows of at most kWidth columns.
static std::string wrapped(llvm::StringRef row) {
  std::string result;
  size_t width = 0;
  for (const llvm::StringRef word : llvm::split(row, ' ')) {
    const size_t size = widthOf(word);
    const bool isFirst = word.data() == row.data();
    if (!isFirst) result += width > 0 && width + 1 + size > kWidth ? '\n' : ' ';
    width = !result.empty() && result.back() == '\n' ? size : width + !isFirst + size;
    result += word;
  }
  return result;
}

void StatementWriter::comment(const std::string &text, const std::string &about, bool isHead) {
  std::vector<std::string> rows;
  for (const llvm::StringRef row : llvm::split(text, '\n')) rows.push_back(wrapped(row));
  add({Comment{llvm::join(rows, "\n"), about, isHead}});
}

void StatementWriter::commentList(const std::string &start, llvm::ArrayRef<std::string> items,
                                  const std::string &about) {
  const std::string row = start + llvm::join(items, ", ") + ".";
  comment(widthOf(row) <= kWidth ? row : start + llvm::join(items, ",\n  ") + ".", about);
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
