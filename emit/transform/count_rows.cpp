#include "emit/transform/count_rows.h"

namespace tile2cu::emit {
namespace {

constexpr size_t kNodes = 16;  // in one row of code

size_t countNodes(const Expr &e) {
  size_t count = 0;
  walk(e, [&](const Expr &) { ++count; });
  return count;
}

// A closing brace is a row if the block has several statements: other blocks may have no braces.
size_t rowsOfBody(const Stmts &body) { return countRows(body) + (body.size() > 1); }

size_t countRows(const Stmt &stmt) {
  if (stmt.as<Blank>()) return 1;
  // The comment on a loop or branch is mostly not printed, because the head reads the same.
  if (const Comment *comment = stmt.as<Comment>())
    return comment->quote == Quote::Head ? 0 : comment->text.rows();
  if (const Section *section = stmt.as<Section>()) return countRows(section->body);
  size_t nodes = 0;
  forEachOwnExpr(stmt, [&](const Expr &e) { nodes += countNodes(e); });
  size_t rows = 1 + nodes / kNodes;
  if (const For *loop = stmt.as<For>()) rows += !loop->unroll.empty();
  const If *branch = stmt.as<If>();
  if (branch && branch->isShort) return rows;
  forEachBody(stmt, [&](const Stmts &body) { rows += rowsOfBody(body); });
  return rows;
}

}  // namespace

size_t countRows(llvm::ArrayRef<Stmt> stmts) {
  size_t rows = 0;
  for (const Stmt &stmt : stmts) rows += countRows(stmt);
  return rows;
}

size_t countRows(llvm::ArrayRef<FunctionParameter> parameters) {
  size_t nodes = 0;
  for (const FunctionParameter &each : parameters) nodes += 2 + countNodes(each.type);
  return 1 + nodes / kNodes;
}

}  // namespace tile2cu::emit
