#include "frontend/lower/loop_changes.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "frontend/clang/annotations.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/lower_stmt.h"

namespace tile2cu::frontend {
namespace {

using Types = std::set<const clang::Type *>;

const clang::Type *plain(clang::QualType type) {
  return type.getNonReferenceType().getCanonicalType().getTypePtr();
}

// Whether this is `this` or `*this`.
bool isThis(const clang::Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(e))
    if (unary->getOpcode() == clang::UO_Deref) return isThis(unary->getSubExpr());
  return llvm::isa<clang::CXXThisExpr>(e);
}

// The variable that an lvalue refers to, wholly or in part, or the member if it is a member of the
// object whose method this is. References are followed to the variable that initializes them. Null
// if it is not known: for a parameter that is a reference, or an lvalue that is chosen at run time.
const clang::ValueDecl *variableBehind(const clang::Expr *e) {
  for (;;) {
    e = e->IgnoreParenImpCasts();
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      if (member->getMemberDecl()->getType()->isReferenceType()) return nullptr;
      e = member->getBase();
      if (isThis(e)) return member->getMemberDecl();
      continue;
    }
    if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      e = element->getBase();
      continue;
    }
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e);
    if (!reference) return nullptr;
    const clang::ValueDecl *declaration = reference->getDecl();
    if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(declaration))
      declaration = binding->getDecomposedDecl();
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (!variable || !variable->getType()->isReferenceType()) return declaration;
    if (llvm::isa<clang::ParmVarDecl>(variable) || !variable->getInit()) return nullptr;
    e = variable->getInit();
  }
}

// Whether this is an element that a pointer points to, or a call that returns one by reference, such
// as the operator[] of a view: memory, and no variable.
bool isMemory(const clang::Expr *e, int depth = 0) {
  constexpr int kMostCalls = 8;
  e = e->IgnoreParenImpCasts();
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    return element->getBase()->IgnoreParenImpCasts()->getType()->isPointerType();
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(e))
    return unary->getOpcode() == clang::UO_Deref && lowerType(e->getType());  // no `*this`
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  const clang::Stmt *body = callee ? callee->getBody() : nullptr;
  const auto *result =
      body ? llvm::dyn_cast_or_null<clang::ReturnStmt>(onlyReturnOf(body)) : nullptr;
  return result && callee->getReturnType()->isReferenceType() && depth < kMostCalls &&
         isMemory(result->getRetValue(), depth + 1);
}

// Calls `visit` for the body of each operator() of a closure or function object; of generic ones,
// for each instance.
void forEachCallBody(clang::QualType type, llvm::function_ref<void(clang::Stmt *)> visit) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return;
  auto see = [&](const clang::FunctionDecl *function) {
    if (function->getOverloadedOperator() != clang::OO_Call) return;
    if (clang::Stmt *body = function->getBody()) visit(body);
  };
  for (const clang::Decl *declaration : record->decls()) {
    if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(declaration)) see(method);
    if (const auto *generic = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration))
      for (const clang::FunctionDecl *instance : generic->specializations()) see(instance);
  }
}

// The body of a function that is inlined here: one of the user's, or a lambda's.
clang::Stmt *inlinedBody(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !operationOf(callee).empty()) return nullptr;
  const clang::FunctionDecl *definition = nullptr;
  clang::Stmt *body = callee->getBody(definition);
  return body;
}

// The variables that a piece of code may change: those that it assigns or increments, binds to a
// mutable reference, or takes the address of.
class Changes : public clang::RecursiveASTVisitor<Changes> {
 public:
  std::set<const clang::ValueDecl *> variables;  // and members of this object
  bool object = false;                           // any member of this object
  std::set<const clang::ValueDecl *> own;        // variables of the code itself
  Types unknown;                                 // of changed objects whose variable is not known
  Types types;                                   // of all changed objects that existed before

  bool VisitBinaryOperator(clang::BinaryOperator *op) {
    if (op->isAssignmentOp()) add(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *op) {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) add(op->getSubExpr());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee) return true;
    const unsigned shift =
        llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee);
    if (shift && !llvm::cast<clang::CXXMethodDecl>(callee)->isConst()) add(call->getArg(0));
    for (unsigned i = shift; i < call->getNumArgs(); ++i)
      if (i - shift < callee->getNumParams())
        addIfMutable(callee->getParamDecl(i - shift)->getType(), call->getArg(i));
    // Lambdas change what they capture; functions may call lambdas, and so may operations.
    if (clang::Stmt *body = inlinedBody(call)) enter(body);
    if (!operationOf(callee).empty())
      for (const clang::Expr *argument : call->arguments()) enterCalls(argument->getType());
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr *call) {
    const clang::CXXMethodDecl *method = call->getMethodDecl();
    const clang::Expr *changed = call->getImplicitObjectArgument();
    // The changes by a method of this object stand in its body.
    const bool isKnown = isThis(changed) && inlinedBody(call);
    if (method && !method->isConst() && !isKnown) add(changed);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construct) {
    const clang::CXXConstructorDecl *constructor = construct->getConstructor();
    for (unsigned i = 0; i < construct->getNumArgs() && i < constructor->getNumParams(); ++i)
      addIfMutable(constructor->getParamDecl(i)->getType(), construct->getArg(i));
    enterConstructor(constructor);
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(clang::CXXInheritedCtorInitExpr *inherited) {
    enterConstructor(inherited->getConstructor());
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr *lambda) {
    if (lambda->isGenericLambda()) enterCalls(lambda->getType());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    if (!variable->getType()->isReferenceType()) own.insert(variable);
    if (variable->getInit()) addIfMutable(variable->getType(), variable->getInit());
    return true;
  }

 private:
  // Looks at a function that the code calls.
  void enter(clang::Stmt *body) {
    if (!bodies_.insert(body).second) return;
    ++depth_;
    TraverseStmt(body);
    --depth_;
  }
  void enterCalls(clang::QualType type) {
    forEachCallBody(type, [&](clang::Stmt *body) { enter(body); });
  }
  void enterConstructor(const clang::CXXConstructorDecl *constructor) {
    const clang::FunctionDecl *definition = nullptr;
    clang::Stmt *body = constructor->getBody(definition);
    if (!body) return;
    for (const clang::CXXCtorInitializer *initializer :
         llvm::cast<clang::CXXConstructorDecl>(definition)->inits())
      enter(initializer->getInit());
    enter(body);
  }
  void addIfMutable(clang::QualType type, const clang::Expr *e) {
    if (type->isReferenceType() && !type->getPointeeType().isConstQualified()) add(e);
  }
  void add(const clang::Expr *e) {
    if (isMemory(e)) return;
    const clang::ValueDecl *variable = variableBehind(e);
    if (own.count(variable)) return;
    object |= isThis(e);
    // Changes that a called function makes through its parameters were found at the call.
    const bool isMember = llvm::isa_and_nonnull<clang::FieldDecl>(variable);
    if (depth_ && !variable && isOfCall(e)) return;
    if (depth_ && isMember) {
      variables.insert(variable);
      return;
    }
    const clang::Type *type = plain(e->IgnoreParenImpCasts()->getType());
    types.insert(type);
    if (variable)
      variables.insert(variable);
    else
      unknown.insert(type);
  }

  // Whether this is a parameter or a part of one, or a part of the object of a method call.
  static bool isOfCall(const clang::Expr *e) {
    e = e->IgnoreParenImpCasts();
    while (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      if (member->getMemberDecl()->getType()->isReferenceType()) return false;
      e = member->getBase()->IgnoreParenImpCasts();
    }
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e);
    return isThis(e) || (reference && llvm::isa<clang::ParmVarDecl>(reference->getDecl()));
  }

  int depth_ = 0;  // nesting depth of called functions
  std::set<const clang::Stmt *> bodies_;
};

// Finds what may differ between iterations.
class Varies : public clang::RecursiveASTVisitor<Varies> {
 public:
  explicit Varies(const Changes &changes) : changes_(changes) {}
  bool found = false;

  bool VisitDeclRefExpr(clang::DeclRefExpr *e) {
    if (llvm::isa<clang::VarDecl, clang::BindingDecl>(e->getDecl())) read(e);
    return !found;
  }
  bool VisitMemberExpr(clang::MemberExpr *e) {
    if (!llvm::isa<clang::FieldDecl>(e->getMemberDecl())) return true;
    const bool isOfThis = isThis(e->getBase());
    found |= isOfThis && changes_.object;
    if (isOfThis || e->getMemberDecl()->getType()->isReferenceType()) read(e);
    return !found;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *e) {
    found |= e->getOpcode() == clang::UO_Deref || (!depth_ && e->isIncrementDecrementOp());
    return !found;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *) { return !(found = true); }
  bool VisitBinaryOperator(clang::BinaryOperator *e) {
    found |= !depth_ && e->isAssignmentOp();
    return !found;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !(callee->isConstexpr() || callee->getDeclName().isIdentifier())) found = true;
    // A value that is read from memory may change between iterations.
    for (const clang::Expr *argument : call->arguments())
      if (argument->getType()->isPointerType()) found = true;
    if (clang::Stmt *body = inlinedBody(call); body && !found && bodies_.insert(body).second) {
      ++depth_;  // it assigns its own variables, or those in question
      TraverseStmt(body);
      --depth_;
    }
    return !found;
  }

 private:
  void read(const clang::Expr *e) {
    const clang::ValueDecl *variable = variableBehind(e);
    // A reference may refer to anything of its type; a struct has fields of any type.
    const Types &others = variable ? changes_.unknown : changes_.types;
    const clang::Type *type = plain(e->getType());
    found |= changes_.variables.count(variable) || others.count(type) ||
             (type->isRecordType() && !others.empty());
  }

  const Changes &changes_;
  int depth_ = 0;
  std::set<const clang::Stmt *> bodies_;
};

}  // namespace

static Changes changesIn(const clang::Stmt *body) {
  Changes changes;
  changes.TraverseStmt(const_cast<clang::Stmt *>(body));
  return changes;
}

bool changes(const clang::Stmt *body, const clang::ValueDecl *variable) {
  const Changes changes = changesIn(body);
  return changes.variables.count(variable);
}

bool staysTheSame(const clang::Stmt *body, const clang::ValueDecl *variable,
                  std::initializer_list<const clang::Expr *> expressions) {
  Changes changes = changesIn(body);
  // They may change something themselves, in a lambda or method that they call.
  for (const clang::Expr *e : expressions) changes.TraverseStmt(const_cast<clang::Expr *>(e));
  changes.variables.insert(variable);
  Varies varies(changes);
  for (const clang::Expr *e : expressions)
    if (e) varies.TraverseStmt(const_cast<clang::Expr *>(e));
  return !varies.found;
}

}  // namespace tile2cu::frontend
