#include "emit/cuda/builder.h"

namespace tile2cu::emit {

static Expr leaf(ExprKind kind, llvm::StringRef spelling) {
  return Expr({kind, Prec::Primary, spelling.str()});
}

// A node whose first operand is `first`.
static Expr listNode(ExprKind kind, const Expr &first, llvm::ArrayRef<Expr> others) {
  Expr::Node node{kind};
  node.operands.reserve(others.size() + 1);
  node.operands.push_back(first);
  node.operands.append(others.begin(), others.end());
  return Expr(std::move(node));
}

Expr named(llvm::StringRef variable) { return leaf(ExprKind::Name, variable); }
Expr word(llvm::StringRef spelling) { return leaf(ExprKind::Word, spelling); }
Expr integer(int64_t value) { return digits(std::to_string(value)); }

Expr digits(llvm::StringRef spelling) {
  const Prec prec = spelling.starts_with("-") ? Prec::Unary : Prec::Primary;
  return Expr({ExprKind::Literal, prec, spelling.str()});
}

Expr verbatim(std::string text, Prec prec) {
  return Expr({ExprKind::Verbatim, prec, std::move(text)});
}

Expr binary(Prec prec, llvm::StringRef op, const Expr &a, const Expr &b) {
  return Expr({ExprKind::Binary, prec, op.str(), {a, b}});
}

Expr unary(llvm::StringRef op, const Expr &a) {
  return Expr({ExprKind::Unary, Prec::Unary, op.str(), {a}});
}

Expr conditional(const Expr &condition, const Expr &a, const Expr &b) {
  return Expr({ExprKind::Conditional, Prec::Conditional, "", {condition, a, b}});
}

Expr call(const Expr &function, llvm::ArrayRef<Expr> arguments) {
  return listNode(ExprKind::Call, function, arguments);
}
Expr call(llvm::StringRef function, llvm::ArrayRef<Expr> arguments) {
  return call(word(function), arguments);
}
Expr instance(llvm::StringRef ofTemplate, llvm::ArrayRef<Expr> arguments) {
  return listNode(ExprKind::Template, word(ofTemplate), arguments);
}
Expr braces(const Expr &type, llvm::ArrayRef<Expr> values) {
  return listNode(ExprKind::Braces, type, values);
}

Expr member(const Expr &of, llvm::StringRef name) {
  return Expr({ExprKind::Member, Prec::Primary, name.str(), {of}});
}

Expr elementOf(const Expr &of, const Expr &index) {
  return Expr({ExprKind::Index, Prec::Primary, "", {of, index}});
}

Expr subscript(const Expr &of, llvm::ArrayRef<Expr> indices) {
  Expr e = of;
  for (const Expr &index : indices) e = elementOf(e, index);
  return e;
}

// `a op b` with b's operands of the same precedence one after the other: a op c op d for c op d.
static Expr inOneRow(Prec prec, llvm::StringRef op, const Expr &a, const Expr &b) {
  if (!b.is(ExprKind::Binary) || b.prec() != prec) return binary(prec, op, a, b);
  return binary(prec, b.spelling(), inOneRow(prec, op, a, b.operand(0)), b.operand(1));
}

Expr bothOf(const Expr &a, const Expr &b) {
  if (!a) return b;
  return b ? inOneRow(Prec::And, "&&", a, b) : a;
}

Expr flatSum(const Expr &a, const Expr &b) { return inOneRow(Prec::Additive, "+", a, b); }

Expr sum(const Expr &a, const Expr &b) {
  if (a.isLiteral("0")) return b;
  if (b.isLiteral("0")) return a;
  if (b.isNegative())
    return binary(Prec::Additive, "-", a, digits(llvm::StringRef(b.spelling()).drop_front()));
  return binary(Prec::Additive, "+", a, b);
}

Expr product(const Expr &a, const Expr &b) {
  if (a.isLiteral("0") || b.isLiteral("0")) return integer(0);
  if (a.isLiteral("1")) return b;
  if (b.isLiteral("1")) return a;
  return binary(Prec::Multiplicative, "*", a, b);
}

}  // namespace tile2cu::emit
