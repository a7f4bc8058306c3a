#include "emit/lower/comment_writer.h"

#include "fmt/format.h"
#include "passes/ir/layout.h"

namespace tile2cu::emit {
using namespace ir;

// The lambda is elsewhere, as a functor.
std::string shortened(const std::string &statement) {
  size_t lambda = statement.find("[](");
  if (lambda == std::string::npos) lambda = statement.find("[&](");
  if (statement.size() <= 120 || lambda == std::string::npos) return statement;
  size_t end = statement.rfind('}');
  return statement.substr(0, lambda) + "..." +
         (end == std::string::npos ? "" : statement.substr(end + 1));
}

const Statement *CommentWriter::statementOf(int index) const {
  bool known = index >= 0 && index < int(kernel_.statements.size());
  return known ? &kernel_.statements[index] : nullptr;
}

void CommentWriter::separate() {
  if (!out_.isAfterComment()) out_.blank();
}

void CommentWriter::statement(const Op *op, bool isHead) {
  const Statement *statement = statementOf(op->loc.statement);
  if (!statement || !said_.insert(op->loc.statement).second) return;
  separate();
  out_.setAfterComment(true);
  if (!statement->comment.empty()) out_.comment(statement->comment);
  out_.comment(shortened(statement->text), "", isHead ? Quote::Head : Quote::Statement);
}

void CommentWriter::reduction(const Op *op) {
  const Layout &layout = *op->operand(0)->type.layout();
  unsigned axis = op->getInt(Attr::axis);
  std::string kind = wordOf(*op->get(Attr::kind)).str(), of = op->operand(0)->name;
  std::string text = fmt::format("{} = {}({}): each thread's elements", op->result()->name, kind,
                                 of.empty() ? "..." : of);
  if (layout.extentAlong(axis, Unit::Lane) > 1) text += ", then across the warp";
  if (layout.extentAlong(axis, Unit::Warp) > 1) text += ", then across warps";
  separate();
  out_.setAfterComment(true);
  out_.comment(text + ".");
}

void CommentWriter::silence() {
  for (int i = 0; i < int(kernel_.statements.size()); ++i) said_.insert(i);
}

}  // namespace tile2cu::emit
