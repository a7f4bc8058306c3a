#include "emit/cuda/ast.h"

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {

Expr::Expr(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

bool Expr::isNegative() const { return isLiteral() && spelling()[0] == '-'; }

bool Expr::isAtom() const { return isName() || isLiteral() || is(ExprKind::Word); }

bool Expr::isCallOf(llvm::StringRef function) const {
  return is(ExprKind::Call) && operand(0).is(ExprKind::Word, function);
}

bool operator==(const Expr &a, const Expr &b) {
  if (a.node_ == b.node_) return true;
  if (!a || !b) return false;
  return a.kind() == b.kind() && a.spelling() == b.spelling() &&
         llvm::equal(a.operands(), b.operands());
}

void walk(const Expr &e, llvm::function_ref<void(const Expr &)> visit) {
  if (!e) return;
  visit(e);
  for (const Expr &operand : e.operands()) walk(operand, visit);
}

bool anyOf(const Expr &e, llvm::function_ref<bool(const Expr &)> holds) {
  if (!e) return false;
  if (holds(e)) return true;
  return llvm::any_of(e.operands(), [&](const Expr &operand) { return anyOf(operand, holds); });
}

bool mentions(const Expr &e, llvm::StringRef name) {
  return anyOf(e, [&](const Expr &node) { return node.is(ExprKind::Name, name); });
}

}  // namespace tile2cu::emit
