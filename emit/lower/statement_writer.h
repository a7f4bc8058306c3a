// Statements one after the other, and the changes of the variables that they assign.
#pragma once
#include "emit/cuda/builder.h"
#include "emit/cuda/names.h"

namespace tile2cu::emit {

class StatementWriter {
 public:
  explicit StatementWriter(Names &names) : names_(names) {}

  // Adds a statement, which changes the variables that it assigns.
  void add(Stmt stmt);
  // Adds one that assigns no variable: it writes to memory through a pointer.
  void addStore(Stmt stmt);
  void blank() { add({Blank{}}); }
  // Wrapped here, so that formatting never joins two comments.
  void comment(const CommentText &text, const Symbol &about = {}, Quote quote = Quote::None);
  // A sentence that lists items: on one row, or where that is too long, an item a row.
  void commentList(const CommentText &start, llvm::ArrayRef<CommentText> items,
                   const Symbol &about);
  // Begins a loop, branch or function, which `close` ends.
  void open(Stmt stmt);
  void openElse() { out_.openElse(); }
  void close();
  // The same for a section: it prints neither braces nor a head.
  void openPart(const std::string &role) { out_.open(section(role)); }
  void closePart() { out_.close(); }

  void declareConstant(const Expr &type, const Symbol &name, const Expr &init,
                       llvm::StringRef note = "") {
    add(constant(type, name, init, note));
  }
  // A number that is declared only if somebody reads it.
  void declareScalar(const Expr &type, const Symbol &name, const Expr &init);
  // `target` = e, which may be written as a compound assignment.
  void assign(const Expr &target, const Expr &e) { add(assignment(target, e)); }
  void set(const Expr &target, const Expr &e) { add({Assign{target, "=", e}}); }

  // Statements that are added after `begin` form a list of their own, which `end` returns.
  void begin() { out_.begin(); }
  Stmts end() { return out_.end(); }
  void append(Stmts stmts) { out_.append(std::move(stmts)); }
  const Stmt *last() const { return out_.last(); }
  void removeLast() { out_.removeLast(); }
  // Whether the last statement declares the variable.
  bool isDeclaredLast(const Expr &variable) const;
  // The line of the tile source that the statements to come are made for.
  SourceLine source() const { return out_.source(); }
  void setSource(SourceLine source) { out_.setSource(source); }

  // Whether the last line is a comment, which another may follow without a blank line.
  bool isAfterComment() const { return isAfterComment_; }
  void setAfterComment(bool is) { isAfterComment_ = is; }

 private:
  Names &names_;
  Builder out_;
  bool isAfterComment_ = false;
};

// While it lives, statements come from this line of the tile source; without one, from where those
// around them come from.
class AtSource {
 public:
  AtSource(StatementWriter &out, SourceLine source) : out_(out), outside_(out.source()) {
    if (source) out.setSource(source);
  }
  AtSource(const AtSource &) = delete;
  ~AtSource() { out_.setSource(outside_); }

 private:
  StatementWriter &out_;
  const SourceLine outside_;
};

}  // namespace tile2cu::emit
