// Recognizes counted loops, so that they stay `for` loops in the emitted text.
#include "clang/AST/ExprCXX.h"
#include "fmt/format.h"
#include "frontend/lower/loop_changes.h"
#include "frontend/lower/lower_control.h"

namespace tile2cu::frontend {
namespace {

const clang::VarDecl *variableOf(const clang::Expr *e) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

bool matchCondition(const clang::Expr *condition, CountedLoop &result) {
  const auto *compare =
      condition ? llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
  if (!compare) return false;
  switch (compare->getOpcode()) {
    case clang::BO_LT:
      result.compare = ir::Compare::Lt;
      break;
    case clang::BO_LE:
      result.compare = ir::Compare::Le;
      break;
    case clang::BO_GT:
      result.compare = ir::Compare::Gt;
      break;
    case clang::BO_GE:
      result.compare = ir::Compare::Ge;
      break;
    case clang::BO_NE:
      result.compare = ir::Compare::Ne;
      break;
    default:
      return false;
  }
  result.comparedIn = compare->getLHS()->getType();
  if (variableOf(compare->getLHS()) == result.variable) {
    result.upper = compare->getRHS();
  } else if (variableOf(compare->getRHS()) == result.variable) {
    result.upper = compare->getLHS();
    result.compare = ir::mirrored(result.compare);
  } else {
    return false;
  }
  return true;
}

bool matchIncrement(const clang::Expr *increment, CountedLoop &result) {
  if (!increment) return false;
  increment = increment->IgnoreParenImpCasts();
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(increment)) {
    result.isFalling = unary->isDecrementOp();
    result.addedIn = result.variable->getType();
    return unary->isIncrementDecrementOp() && variableOf(unary->getSubExpr()) == result.variable;
  }
  const auto *assignment = llvm::dyn_cast<clang::CompoundAssignOperator>(increment);
  if (!assignment || variableOf(assignment->getLHS()) != result.variable) return false;
  if (assignment->getOpcode() != clang::BO_AddAssign &&
      assignment->getOpcode() != clang::BO_SubAssign)
    return false;
  result.isFalling = assignment->getOpcode() == clang::BO_SubAssign;
  result.addedIn = assignment->getComputationResultType();
  result.step = assignment->getRHS();
  return true;
}

}  // namespace

std::optional<CountedLoop> countedLoop(const clang::ForStmt *loop, std::string &why) {
  constexpr const char *kForm = "; write for (int i = first; i < bound; i += step)";
  const auto *declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  CountedLoop result;
  if (declaration && declaration->isSingleDecl() && !loop->getConditionVariable())
    result.variable = llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
  if (!result.variable || !result.variable->getType()->isIntegerType() ||
      !result.variable->getInit()) {
    why = std::string("its head does not declare one integer variable") + kForm;
    return std::nullopt;
  }
  const std::string name = result.variable->getNameAsString();
  result.lower = result.variable->getInit();
  if (!matchCondition(loop->getCond(), result)) {
    why = fmt::format("its condition does not compare '{}' with a bound{}", name, kForm);
    return std::nullopt;
  }
  if (!matchIncrement(loop->getInc(), result)) {
    why = fmt::format("its head does not add a step to '{}'{}", name, kForm);
    return std::nullopt;
  }
  if (changes(loop->getBody(), result.variable)) {
    why = fmt::format("its body may change '{}'; use another variable there", name);
    return std::nullopt;
  }
  if (!staysTheSame(loop->getBody(), result.variable, {result.upper, result.step})) {
    why = fmt::format(
        "the bound or the step of '{}' may change in the loop; compute it before the loop, into a "
        "variable of its own",
        name);
    return std::nullopt;
  }
  return result;
}

}  // namespace tile2cu::frontend
