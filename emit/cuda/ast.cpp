#include "emit/cuda/ast.h"

#include "emit/cuda/builder.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {

Expr::Expr(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

bool Expr::isNegative() const { return isLiteral() && spelling()[0] == '-'; }

bool Expr::isAtom() const {
  return isName() || isLiteral() || is(ExprKind::Word) || is(ExprKind::Scoped);
}

bool Expr::isCallOf(llvm::StringRef function) const {
  return is(ExprKind::Call) && operand(0).is(ExprKind::Word, function);
}

bool operator==(const Expr &a, const Expr &b) {
  if (a.node_ == b.node_) return true;
  if (!a || !b) return false;
  return a.kind() == b.kind() && a.symbol() == b.symbol() && a.spelling() == b.spelling() &&
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

bool mentions(const Expr &e, const Symbol &symbol) {
  return anyOf(e, [&](const Expr &node) { return node.isName(symbol); });
}

Symbol assignedSymbol(const Expr &target) {
  switch (target.kind()) {
    case ExprKind::Name:
      return target.symbol();
    case ExprKind::Index:
    case ExprKind::Member:
      return assignedSymbol(target.operand(0));
    case ExprKind::Call: {
      const bool isOfAddress =
          target.operands().size() == 2 && target.operand(1).is(ExprKind::Unary, "&");
      return isOfAddress ? assignedSymbol(target.operand(1).operand(0)) : Symbol();
    }
    case ExprKind::Literal:
    case ExprKind::Word:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Conditional:
    case ExprKind::Template:
    case ExprKind::Launch:
    case ExprKind::Braces:
    case ExprKind::Rows:
    case ExprKind::Pointer:
    case ExprKind::Lambda:
    case ExprKind::Scoped:
      return {};
  }
  llvm_unreachable("every kind is listed");
}

namespace {

// Walks over statements; calls one function for expressions, another for declared symbols.
struct Visitor {
  llvm::function_ref<void(const Expr &)> visitExpr;
  SymbolVisitor visitDeclared;
  bool isDeep = true;

  void expr(const Expr &e) {
    if (e) visitExpr(e);
  }
  void operator()(const Declare &declare) {
    expr(declare.type);
    for (const Declarator &each : declare.all) {
      visitDeclared(each.name);
      for (const Expr &extent : each.extents) expr(extent);
      expr(each.init);
    }
  }
  void operator()(const Assign &assign) {
    expr(assign.target);
    expr(assign.value);
  }
  void operator()(const Eval &eval) { expr(eval.value); }
  void operator()(const If &branch) {
    expr(branch.condition);
    if (branch.isShort) return one(branch.then.front());
    all(branch.then);
    all(branch.otherwise);
  }
  void operator()(const For &loop) {
    (*this)(loop.start);
    expr(loop.condition);
    (*this)(loop.advance);
    all(loop.body);
  }
  void operator()(const While &loop) {
    expr(loop.condition);
    all(loop.body);
  }
  void parameters(llvm::ArrayRef<FunctionParameter> all) {
    for (const FunctionParameter &parameter : all) {
      expr(parameter.type);
      visitDeclared(parameter.name);
      for (const Expr &extent : parameter.extents) expr(extent);
      expr(parameter.init);
    }
  }
  void operator()(const LocalFunction &function) {
    visitDeclared(function.name);
    parameters(function.parameters);
    all(function.body);
  }
  void operator()(const Section &section) { all(section.body); }
  void operator()(const Jump &jump) { expr(jump.value); }
  void operator()(const Record &record) { all(record.members); }
  void operator()(const CallOperator &function) {
    expr(function.result);
    parameters(function.parameters);
    all(function.body);
  }
  void operator()(const Comment &) {}
  void operator()(const Blank &) {}

  void one(const Stmt &stmt) { std::visit(*this, stmt.node); }
  void all(const Stmts &stmts) {
    for (const Stmt &stmt : stmts)
      if (isDeep) one(stmt);
  }
};

void visitSymbols(const Expr &e, SymbolVisitor visit) {
  walk(e, [&](const Expr &node) {
    if (node.isName()) visit(node.symbol());
  });
}

}  // namespace

void forEachExpr(const Stmt &stmt, llvm::function_ref<void(const Expr &)> visit) {
  Visitor{visit, [](const Symbol &) {}}.one(stmt);
}
void forEachExpr(const Stmts &stmts, llvm::function_ref<void(const Expr &)> visit) {
  Visitor{visit, [](const Symbol &) {}}.all(stmts);
}

void forEachOwnExpr(const Stmt &stmt, llvm::function_ref<void(const Expr &)> visit) {
  Visitor{visit, [](const Symbol &) {}, false}.one(stmt);
}

void forEachBody(Stmt &stmt, llvm::function_ref<void(Stmts &)> visit) {
  if (If *branch = stmt.as<If>()) {
    visit(branch->then);
    visit(branch->otherwise);
  }
  if (For *loop = stmt.as<For>()) visit(loop->body);
  if (While *loop = stmt.as<While>()) visit(loop->body);
  if (LocalFunction *function = stmt.as<LocalFunction>()) visit(function->body);
  if (Section *section = stmt.as<Section>()) visit(section->body);
  if (Record *record = stmt.as<Record>()) visit(record->members);
  if (CallOperator *function = stmt.as<CallOperator>()) visit(function->body);
}
void forEachBody(const Stmt &stmt, llvm::function_ref<void(const Stmts &)> visit) {
  forEachBody(const_cast<Stmt &>(stmt), [&](Stmts &body) { visit(body); });
}

void forEachSymbol(const Stmt &stmt, SymbolVisitor visit) {
  Visitor{[&](const Expr &e) { visitSymbols(e, visit); }, visit}.one(stmt);
}
void forEachSymbol(const Stmts &stmts, SymbolVisitor visit) {
  Visitor{[&](const Expr &e) { visitSymbols(e, visit); }, visit}.all(stmts);
}

void forEachDeclaredSymbol(const Stmts &stmts, SymbolVisitor visit) {
  const auto inExpr = [&](const Expr &e) {
    walk(e, [&](const Expr &node) {
      if (!node.is(ExprKind::Lambda)) return;
      for (const Expr &parameter : node.operands().drop_front()) visit(parameter.symbol());
    });
  };
  Visitor{inExpr, visit}.all(stmts);
}

void forEachOwnSymbol(const Stmt &stmt, SymbolVisitor visit) {
  Visitor{[&](const Expr &e) { visitSymbols(e, visit); }, visit, false}.one(stmt);
}

SymbolSet symbolsIn(const Stmts &stmts) {
  SymbolSet symbols;
  addSymbols(stmts, symbols);
  return symbols;
}
void addSymbols(const Expr &e, SymbolSet &symbols) {
  visitSymbols(e, [&](const Symbol &symbol) { symbols.insert(symbol); });
}
void addSymbols(const Stmts &stmts, SymbolSet &symbols) {
  forEachSymbol(stmts, [&](const Symbol &symbol) { symbols.insert(symbol); });
}

// ---- equality

namespace {

struct Equality {
  template <class A, class B>
  bool operator()(const A &, const B &) const {
    return false;  // different kinds
  }
  template <class T>
  bool operator()(const T &a, const T &b) const {
    return isSame(a, b);
  }

 private:
  template <class T>
  static bool isSame(const T &a, const T &b) {
    return a == b;
  }
  static bool isSame(const If &a, const If &b) {
    return a.condition == b.condition && a.isShort == b.isShort && a.then == b.then &&
           a.otherwise == b.otherwise;
  }
  static bool isSame(const For &a, const For &b) {
    return a.start == b.start && a.condition == b.condition && a.advance == b.advance &&
           a.unroll == b.unroll && a.body == b.body;
  }
  static bool isSame(const While &a, const While &b) {
    return a.condition == b.condition && a.body == b.body;
  }
  static bool isSame(const LocalFunction &a, const LocalFunction &b) {
    return a.name == b.name && a.parameters == b.parameters && a.body == b.body;
  }
  static bool isSame(const Section &a, const Section &b) {
    return a.role == b.role && a.body == b.body;
  }
  static bool isSame(const CallOperator &a, const CallOperator &b) {
    return a.result == b.result && a.parameters == b.parameters && a.body == b.body;
  }
  static bool isSame(const Record &a, const Record &b) {
    return a.word == b.word && a.note == b.note && a.members == b.members;
  }
};

}  // namespace

bool operator==(const Stmt &a, const Stmt &b) {
  return a.note == b.note && std::visit(Equality{}, a.node, b.node);
}

bool anyOf(llvm::ArrayRef<Stmt> stmts, llvm::function_ref<bool(const Stmt &)> holds) {
  return llvm::any_of(stmts, [&](const Stmt &stmt) {
    bool found = holds(stmt);
    forEachBody(stmt, [&](const Stmts &body) { found = found || anyOf(body, holds); });
    return found;
  });
}

Stmts withoutComments(Stmts stmts) {
  llvm::erase_if(stmts, [](const Stmt &stmt) { return stmt.as<Comment>() || stmt.as<Blank>(); });
  for (Stmt &stmt : stmts) {
    stmt.note.clear();
    forEachBody(stmt, [](Stmts &body) { body = withoutComments(std::move(body)); });
  }
  return stmts;
}

// ---- other names

Expr renamed(const Expr &e, const SymbolMap &names) {
  if (!e) return e;
  if (e.isName()) {
    const auto name = names.find(e.symbol());
    return name == names.end() ? e : named(name->second);
  }
  Expr::Node node{e.kind(), e.prec(), e.spelling()};
  bool isChanged = false;
  for (const Expr &operand : e.operands()) {
    node.operands.push_back(renamed(operand, names));
    isChanged |= !node.operands.back().isSameNode(operand);
  }
  return isChanged ? Expr(std::move(node)) : e;
}

namespace {

struct Renamer {
  const SymbolMap &names;

  void operator()(Expr &e) const { e = renamed(e, names); }
  void operator()(Symbol &symbol) const {
    if (const auto found = names.find(symbol); found != names.end()) symbol = found->second;
  }
  void operator()(Declare &declare) const {
    (*this)(declare.type);
    for (Declarator &each : declare.all) {
      (*this)(each.name);
      for (Expr &extent : each.extents) (*this)(extent);
      (*this)(each.init);
    }
  }
  void operator()(Assign &assign) const {
    (*this)(assign.target);
    (*this)(assign.value);
  }
  void operator()(Eval &eval) const { (*this)(eval.value); }
  void operator()(If &branch) const {
    (*this)(branch.condition);
    all(branch.then);
    all(branch.otherwise);
  }
  void operator()(For &loop) const {
    (*this)(loop.start);
    (*this)(loop.condition);
    (*this)(loop.advance);
    all(loop.body);
  }
  void operator()(While &loop) const {
    (*this)(loop.condition);
    all(loop.body);
  }
  void parameters(llvm::MutableArrayRef<FunctionParameter> all) const {
    for (FunctionParameter &parameter : all) {
      (*this)(parameter.type);
      (*this)(parameter.name);
      for (Expr &extent : parameter.extents) (*this)(extent);
      (*this)(parameter.init);
    }
  }
  void operator()(LocalFunction &function) const {
    (*this)(function.name);
    parameters(function.parameters);
    all(function.body);
  }
  void operator()(CallOperator &function) const {
    (*this)(function.result);
    parameters(function.parameters);
    all(function.body);
  }
  void operator()(Section &section) const { all(section.body); }
  void operator()(Jump &jump) const { (*this)(jump.value); }
  void operator()(Record &record) const { all(record.members); }
  void operator()(Comment &comment) const {
    comment.text.rename(names);
    (*this)(comment.about);
  }
  void operator()(Blank &) const {}
  void all(Stmts &stmts) const {
    for (Stmt &stmt : stmts) std::visit(*this, stmt.node);
  }
};

}  // namespace

void rename(FunctionParameter &parameter, const SymbolMap &names) {
  Renamer{names}.parameters(parameter);
}
void rename(Stmts &stmts, const SymbolMap &names) { Renamer{names}.all(stmts); }

}  // namespace tile2cu::emit
