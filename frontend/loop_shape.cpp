// Recognises counted loops, so that they stay `for` all the way to the emitted text.
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "frontend/lower_control.h"

namespace tile2cu::frontend {
namespace {

// Variables that a piece of code may change: assigned, incremented, bound to a mutable reference, address taken.
class Changes : public clang::RecursiveASTVisitor<Changes> {
 public:
  std::set<const clang::ValueDecl *> variables;

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
    unsigned shift =
        llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee);
    if (shift && !llvm::cast<clang::CXXMethodDecl>(callee)->isConst()) add(call->getArg(0));
    for (unsigned i = shift; i < call->getNumArgs(); ++i)
      if (i - shift < callee->getNumParams())
        addIfMutable(callee->getParamDecl(i - shift)->getType(), call->getArg(i));
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr *call) {
    const clang::CXXMethodDecl *method = call->getMethodDecl();
    if (method && !method->isConst()) add(call->getImplicitObjectArgument());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    if (variable->getInit()) addIfMutable(variable->getType(), variable->getInit());
    return true;
  }

 private:
  void addIfMutable(clang::QualType type, const clang::Expr *e) {
    if (type->isReferenceType() && !type->getPointeeType().isConstQualified()) add(e);
  }
  void add(const clang::Expr *e) {
    e = e->IgnoreParenImpCasts();
    while (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e))
      e = member->getBase()->IgnoreParenImpCasts();
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e))
      variables.insert(reference->getDecl());
  }
};

// Whether an expression gives the same value in every iteration: no calls but of constant things, no memory, and only
// variables that stay.
class Varies : public clang::RecursiveASTVisitor<Varies> {
 public:
  explicit Varies(const Changes &changes) : changes_(changes) {}
  bool found = false;

  bool VisitDeclRefExpr(clang::DeclRefExpr *e) {
    if (changes_.variables.count(e->getDecl())) found = true;
    return !found;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *e) {
    if (e->getOpcode() == clang::UO_Deref || e->isIncrementDecrementOp()) found = true;
    return !found;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *) { return !(found = true); }
  bool VisitBinaryOperator(clang::BinaryOperator *e) {
    if (e->isAssignmentOp()) found = true;
    return !found;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !(callee->isConstexpr() || callee->getDeclName().isIdentifier())) found = true;
    // What reads memory may change between iterations.
    for (const clang::Expr *argument : call->arguments())
      if (argument->getType()->isPointerType()) found = true;
    return !found;
  }

 private:
  const Changes &changes_;
};

const clang::VarDecl *variableOf(const clang::Expr *e) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

const char *mirrored(llvm::StringRef compare) {
  return llvm::StringSwitch<const char *>(compare)
      .Case("lt", "gt")
      .Case("le", "ge")
      .Case("gt", "lt")
      .Case("ge", "le")
      .Default("ne");
}

bool matchCondition(const clang::Expr *condition, CountedLoop &result) {
  const auto *compare =
      condition ? llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
  if (!compare) return false;
  switch (compare->getOpcode()) {
    case clang::BO_LT:
      result.compare = "lt";
      break;
    case clang::BO_LE:
      result.compare = "le";
      break;
    case clang::BO_GT:
      result.compare = "gt";
      break;
    case clang::BO_GE:
      result.compare = "ge";
      break;
    case clang::BO_NE:
      result.compare = "ne";
      break;
    default:
      return false;
  }
  result.comparedIn = compare->getLHS()->getType();
  if (variableOf(compare->getLHS()) == result.variable) {
    result.upper = compare->getRHS();
  } else if (variableOf(compare->getRHS()) == result.variable) {
    result.upper = compare->getLHS();
    result.compare = mirrored(result.compare);
  } else {
    return false;
  }
  return true;
}

bool matchIncrement(const clang::Expr *increment, CountedLoop &result) {
  if (!increment) return false;
  increment = increment->IgnoreParenImpCasts();
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(increment)) {
    result.negativeStep = unary->isDecrementOp();
    return unary->isIncrementDecrementOp() && variableOf(unary->getSubExpr()) == result.variable;
  }
  const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(increment);
  if (!binary || variableOf(binary->getLHS()) != result.variable) return false;
  if (binary->getOpcode() == clang::BO_AddAssign || binary->getOpcode() == clang::BO_SubAssign) {
    result.negativeStep = binary->getOpcode() == clang::BO_SubAssign;
    result.step = binary->getRHS();
    return true;
  }
  return false;
}

}  // namespace

std::optional<CountedLoop> countedLoop(const clang::ForStmt *loop) {
  const auto *declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  if (!declaration || !declaration->isSingleDecl() || loop->getConditionVariable())
    return std::nullopt;
  CountedLoop result;
  result.variable = llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
  if (!result.variable || !result.variable->getType()->isIntegerType() ||
      !result.variable->getInit())
    return std::nullopt;
  result.lower = result.variable->getInit();
  if (!matchCondition(loop->getCond(), result) || !matchIncrement(loop->getInc(), result))
    return std::nullopt;
  // A narrow variable wraps where a wide one goes on.
  if (result.variable->getType()->isUnsignedIntegerType() &&
      result.variable->getType().getCanonicalType() != result.comparedIn.getCanonicalType())
    return std::nullopt;
  Changes changes;
  changes.TraverseStmt(const_cast<clang::Stmt *>(loop->getBody()));
  if (changes.variables.count(result.variable)) return std::nullopt;
  changes.variables.insert(result.variable);
  Varies varies(changes);
  varies.TraverseStmt(const_cast<clang::Expr *>(result.upper));
  if (result.step) varies.TraverseStmt(const_cast<clang::Expr *>(result.step));
  if (varies.found) return std::nullopt;
  return result;
}

}  // namespace tile2cu::frontend
