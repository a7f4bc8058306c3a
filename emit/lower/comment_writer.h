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

  // The statement whose operations are being written, from here on.
  void begin(int statement) { statement_ = statement; }
  const ir::Statement *current() const { return statementOf(statement_); }
  const ir::Statement *statementOf(int index) const;  // null if there is none

  // Once for each statement: the user's comment above it, and the statement; `isHead`: of a loop or
  // branch, which follows.
  void statement(const ir::Op *op, bool isHead = false);
  // A reduction inside of a larger expression: what its partial results are.
  void reduction(const ir::Op *reduceThread);

  // The statements whose comments are out. Those of a text that is written twice may be restored.
  std::set<int> said() const { return said_; }
  void restore(std::set<int> said) { said_ = std::move(said); }
  void silence();  // as if all of them were

 private:
  void separate();  // by a blank line, from what is above

  const ir::Kernel &kernel_;
  StatementWriter &out_;
  std::set<int> said_;
  int statement_ = -1;
};

}  // namespace tile2cu::emit
