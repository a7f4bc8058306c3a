// Makes the nodes of an AST (ast.h).
#pragma once
#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// A variable, parameter or constant of the text.
Expr named(const Symbol &variable);
Expr word(llvm::StringRef spelling);
Expr integer(int64_t value);
// A number as it is spelled, with its sign and suffix.
Expr digits(llvm::StringRef spelling);

Expr binary(Prec prec, llvm::StringRef op, const Expr &a, const Expr &b);
Expr unary(llvm::StringRef op, const Expr &a);
Expr conditional(const Expr &condition, const Expr &a, const Expr &b);
Expr call(const Expr &function, llvm::ArrayRef<Expr> arguments);
Expr call(llvm::StringRef function, llvm::ArrayRef<Expr> arguments);
Expr instance(llvm::StringRef ofTemplate, llvm::ArrayRef<Expr> arguments);
Expr braces(const Expr &type, llvm::ArrayRef<Expr> values);
// {x, y}, on one row or with a row for each value
Expr list(llvm::ArrayRef<Expr> values);
Expr rows(llvm::ArrayRef<Expr> values);
// kernel<<<blocks, threads>>>
Expr launch(const Expr &kernel, llvm::ArrayRef<Expr> how);
// name::of, of a type
Expr scoped(const Expr &type, llvm::StringRef name);
Expr member(const Expr &of, llvm::StringRef name);
// of.name(arguments)
Expr method(const Expr &of, llvm::StringRef name, llvm::ArrayRef<Expr> arguments);
// of[index]
Expr elementOf(const Expr &of, const Expr &index);
// of[index][index]...
Expr subscript(const Expr &of, llvm::ArrayRef<Expr> indices);

// `a && b`; one of them alone where there is no other.
Expr bothOf(const Expr &a, const Expr &b);
Expr noRemainder(const Expr &of, const Expr &by);  // of % by == 0
// The same of all of them, and of `a || b`. None if there are none.
Expr allOf(llvm::ArrayRef<Expr> conditions);
Expr anyOf(llvm::ArrayRef<Expr> conditions);
// `a + b`, `a * b` for index arithmetic: 0 and 1 vanish.
Expr sum(const Expr &a, const Expr &b);
Expr product(const Expr &a, const Expr &b);
// `a + b` with the terms of b one after the other: a + b + c for b + c. Only of numbers whose sum
// does not depend on the order.
Expr flatSum(const Expr &a, const Expr &b);

Expr pointerTo(const Expr &type);
Expr addressOf(const Expr &e);
// [&](int x) { return value; }
Expr lambda(llvm::ArrayRef<Symbol> parameters, const Expr &value, llvm::StringRef type = "int");

// const int x = init;
Stmt constant(const Expr &type, const Symbol &name, const Expr &init, llvm::StringRef note = "");
// int x; or int x = init;
Stmt variable(const Expr &type, const Symbol &name, const Expr &init = {});
Stmt assignment(const Expr &target, const Expr &value);  // x = x + y is x += y
Stmt evaluate(const Expr &e, llvm::StringRef note = "");
Stmt evaluate(Effect effect, const Expr &e, llvm::StringRef note = "");
// static_assert(condition); with the reason as its message, if there is one
Stmt staticAssertion(const Expr &condition, llvm::StringRef reason = "");
// if (condition) statement, without braces; the statement alone where there is no condition.
Stmt shortIf(const Expr &condition, Stmt then);
Stmt branchOn(const Expr &condition);
Stmt localFunction(const Symbol &name, llvm::ArrayRef<FunctionParameter> parameters);
Stmt section(llvm::StringRef role);
// The role of the section that becomes a function last of all.
inline constexpr const char *kPrologue = "start_copies";
Stmt jump(llvm::StringRef word, const Expr &value = {});
Stmt record(llvm::StringRef word, Stmts members, llvm::StringRef note = "");
// for (int x = 0; x < extent; ++x), unrolled
For unrolledLoop(const Symbol &variable, const Expr &extent);

// Builds a list of statements from first to last.
class Builder {
 public:
  Builder() { begin(); }

  void add(Stmt stmt);
  void append(Stmts stmts);
  // Begins a statement with a body; what is added until `close` is in the body.
  void open(Stmt stmt);
  void openElse();  // the other side of an If
  void close();
  // Statements that are added after `begin` form a list of their own, which `end` returns.
  void begin();
  Stmts end();

  const Stmt *last() const;  // of the innermost list; null if that is empty
  void removeLast();
  // The line of the tile source that the statements to come are made for.
  SourceLine source() const { return source_; }
  void setSource(SourceLine source) { source_ = source; }

 private:
  struct Frame {
    Stmt owner;
    bool isElse = false;
    Stmts body = {};
  };
  std::vector<Frame> frames_;
  SourceLine source_;
};

}  // namespace tile2cu::emit
