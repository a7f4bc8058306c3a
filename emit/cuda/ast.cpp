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

llvm::StringRef assignedName(const Expr &target) {
  switch (target.kind()) {
    case ExprKind::Name:
      return target.spelling();
    case ExprKind::Index:
    case ExprKind::Member:
      return assignedName(target.operand(0));
    case ExprKind::Call: {
      const bool isOfAddress =
          target.operands().size() == 2 && target.operand(1).is(ExprKind::Unary, "&");
      return isOfAddress ? assignedName(target.operand(1).operand(0)) : "";
    }
    default:
      return "";
  }
}

namespace {

// Walks over statements; calls one function for expressions, another for declared names.
struct Visitor {
  llvm::function_ref<void(const Expr &)> visitExpr;
  llvm::function_ref<void(llvm::StringRef)> visitDeclared;

  void operator()(const Declare &declare) {
    visitExpr(declare.type);
    for (const Declarator &each : declare.all) {
      visitDeclared(each.name);
      for (const Expr &extent : each.extents) visitExpr(extent);
      visitExpr(each.init);
    }
  }
  void operator()(const Assign &assign) {
    visitExpr(assign.target);
    visitExpr(assign.value);
  }
  void operator()(const Eval &eval) { visitExpr(eval.value); }
  void operator()(const If &branch) {
    visitExpr(branch.condition);
    all(branch.then);
    all(branch.otherwise);
  }
  void operator()(const For &loop) {
    (*this)(loop.start);
    visitExpr(loop.condition);
    (*this)(loop.advance);
    all(loop.body);
  }
  void operator()(const While &loop) {
    visitExpr(loop.condition);
    all(loop.body);
  }
  void operator()(const LocalFunction &function) {
    visitDeclared(function.name);
    for (const FunctionParameter &parameter : function.parameters) {
      visitExpr(parameter.type);
      visitDeclared(parameter.name);
    }
    all(function.body);
  }
  void operator()(const Section &section) { all(section.body); }
  void operator()(const Jump &jump) { visitExpr(jump.value); }
  void operator()(const Comment &) {}
  void operator()(const Blank &) {}

  void one(const Stmt &stmt) { std::visit(*this, stmt.node); }
  void all(const Stmts &stmts) {
    for (const Stmt &stmt : stmts) one(stmt);
  }
};

void visitNames(const Expr &e, llvm::function_ref<void(llvm::StringRef)> visit) {
  walk(e, [&](const Expr &node) {
    if (node.isName()) visit(node.spelling());
  });
}

}  // namespace

void forEachExpr(const Stmt &stmt, llvm::function_ref<void(const Expr &)> visit) {
  Visitor{visit, [](llvm::StringRef) {}}.one(stmt);
}
void forEachExpr(const Stmts &stmts, llvm::function_ref<void(const Expr &)> visit) {
  Visitor{visit, [](llvm::StringRef) {}}.all(stmts);
}

void forEachName(const Stmt &stmt, llvm::function_ref<void(llvm::StringRef)> visit) {
  Visitor{[&](const Expr &e) { visitNames(e, visit); }, visit}.one(stmt);
}
void forEachName(const Stmts &stmts, llvm::function_ref<void(llvm::StringRef)> visit) {
  Visitor{[&](const Expr &e) { visitNames(e, visit); }, visit}.all(stmts);
}

}  // namespace tile2cu::emit
