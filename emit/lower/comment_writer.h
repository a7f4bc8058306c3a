// The comments of a kernel's text: the user's own, and the statements of the source.
#pragma once
#include <set>

#include "emit/lower/statement_writer.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// A statement as a comment shows it: long lambdas left out.
std::string shortened(const std::string &statement);

class CommentWriter {
 public:
  CommentWriter(const ir::Kernel &kernel, StatementWriter &out) : kernel_(kernel), out_(out) {}

  const ir::Statement *statementOf(int index) const;  // null if there is none

  // Writes the user's comment above a statement, and the statement, once for each. `isHead`: it is
  // the head of the loop or branch that follows.
  void statement(const ir::Op *op, bool isHead = false);
  // Describes how a reduction inside a larger expression is computed.
  void reduction(const ir::Op *reduceThread);

  // The statements whose comments are written. A text that is written twice restores them.
  std::set<int> said() const { return said_; }
  void restore(std::set<int> said) { said_ = std::move(said); }
  void silence();  // marks all as written

 private:
  void separate();  // by a blank line, from what is above

  const ir::Kernel &kernel_;
  StatementWriter &out_;
  std::set<int> said_;
};

}  // namespace tile2cu::emit
