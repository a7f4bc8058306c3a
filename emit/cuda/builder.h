// Makes the nodes of an AST (ast.h).
#pragma once
#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// A variable, parameter or constant of the text.
Expr named(llvm::StringRef variable);
Expr word(llvm::StringRef spelling);
Expr integer(int64_t value);
// A number as it is spelled, with its sign and suffix.
Expr digits(llvm::StringRef spelling);
// Text that no node stands for yet.
Expr verbatim(std::string text, Prec prec = Prec::Primary);

Expr binary(Prec prec, llvm::StringRef op, const Expr &a, const Expr &b);
Expr unary(llvm::StringRef op, const Expr &a);
Expr conditional(const Expr &condition, const Expr &a, const Expr &b);
Expr call(const Expr &function, llvm::ArrayRef<Expr> arguments);
Expr call(llvm::StringRef function, llvm::ArrayRef<Expr> arguments);
Expr instance(llvm::StringRef ofTemplate, llvm::ArrayRef<Expr> arguments);
Expr braces(const Expr &type, llvm::ArrayRef<Expr> values);
Expr member(const Expr &of, llvm::StringRef name);
// of[index]
Expr elementOf(const Expr &of, const Expr &index);
// of[index][index]...
Expr subscript(const Expr &of, llvm::ArrayRef<Expr> indices);

// `a && b`; one of them alone where there is no other.
Expr bothOf(const Expr &a, const Expr &b);
// `a + b`, `a * b` for index arithmetic: 0 and 1 vanish.
Expr sum(const Expr &a, const Expr &b);
Expr product(const Expr &a, const Expr &b);
// `a + b` with the terms of b one after the other: a + b + c for b + c. Only of numbers whose sum
// does not depend on the order.
Expr flatSum(const Expr &a, const Expr &b);

}  // namespace tile2cu::emit
