#include "frontend/lower/lower_expr.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "frontend/clang/annotations.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/clang_nodes.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/inline_call.h"
#include "frontend/lower/lower_call.h"

namespace tile2cu::frontend {

using clang::Stmt;

// Lvalues other than calls, which have their own rule.
static bool isReadThroughPlace(const clang::Expr *e) {
  return e->isGLValue() && !llvm::isa<clang::CallExpr>(e);
}

// A member of a temporary object.
static Val lowerTemporaryMember(Lowering &l, const clang::MemberExpr *e) {
  const auto *field = llvm::dyn_cast<clang::FieldDecl>(e->getMemberDecl());
  if (!field || e->isArrow()) {
    rejectNode(l, e);
    return l.placeholder(e->getType());
  }
  checkMember(l, field, e->getExprLoc());
  Val base = lowerValue(l, e->getBase());
  const unsigned index = fieldIndex(field);
  return index < base.fields.size() ? base.fields[index] : l.placeholder(e->getType());
}

static Val lowerPrvalue(Lowering &l, const clang::Expr *e) {
  switch (e->getStmtClass()) {
    case Stmt::ParenExprClass:
      return lowerValue(l, llvm::cast<clang::ParenExpr>(e)->getSubExpr());
    case Stmt::ConstantExprClass:
    case Stmt::ExprWithCleanupsClass:
      return lowerValue(l, llvm::cast<clang::FullExpr>(e)->getSubExpr());
    case Stmt::MaterializeTemporaryExprClass:
      return lowerValue(l, llvm::cast<clang::MaterializeTemporaryExpr>(e)->getSubExpr());
    case Stmt::CXXBindTemporaryExprClass:
      l.reject(e->getExprLoc(), "a destructor", "call a function where the block ends");
      return lowerValue(l, llvm::cast<clang::CXXBindTemporaryExpr>(e)->getSubExpr());
    case Stmt::SubstNonTypeTemplateParmExprClass:
      return lowerValue(l, llvm::cast<clang::SubstNonTypeTemplateParmExpr>(e)->getReplacement());
    case Stmt::CXXDefaultArgExprClass:
      return lowerValue(l, llvm::cast<clang::CXXDefaultArgExpr>(e)->getExpr());
    case Stmt::CXXDefaultInitExprClass:
      return lowerValue(l, llvm::cast<clang::CXXDefaultInitExpr>(e)->getExpr());
    case Stmt::CXXRewrittenBinaryOperatorClass:
      return lowerValue(l, llvm::cast<clang::CXXRewrittenBinaryOperator>(e)->getSemanticForm());
    case Stmt::ImplicitCastExprClass:
    case Stmt::CStyleCastExprClass:
    case Stmt::CXXStaticCastExprClass:
    case Stmt::CXXFunctionalCastExprClass:
    case Stmt::CXXConstCastExprClass:
      return lowerCast(l, llvm::cast<clang::CastExpr>(e));
    case Stmt::BinaryOperatorClass:
    case Stmt::CompoundAssignOperatorClass:
      return lowerBinaryOperator(l, llvm::cast<clang::BinaryOperator>(e));
    case Stmt::UnaryOperatorClass:
      return lowerUnaryOperator(l, llvm::cast<clang::UnaryOperator>(e));
    case Stmt::ConditionalOperatorClass:
      return lowerConditional(l, llvm::cast<clang::AbstractConditionalOperator>(e));
    case Stmt::CallExprClass:
    case Stmt::CXXMemberCallExprClass:
    case Stmt::CXXOperatorCallExprClass:
      return lowerCall(l, llvm::cast<clang::CallExpr>(e));
    case Stmt::CXXConstructExprClass:
    case Stmt::CXXTemporaryObjectExprClass:
      return lowerConstruct(l, llvm::cast<clang::CXXConstructExpr>(e));
    case Stmt::CXXInheritedCtorInitExprClass:
      return inlineInherited(l, llvm::cast<clang::CXXInheritedCtorInitExpr>(e));
    case Stmt::InitListExprClass: {
      const auto *list = llvm::cast<clang::InitListExpr>(e);
      if (list->isTransparent()) return lowerValue(l, list->getInit(0));
      return lowerInitList(
          l, e->getType(),
          {const_cast<clang::InitListExpr *>(list)->getInits(), list->getNumInits()},
          list->hasArrayFiller() ? list->getArrayFiller() : nullptr, e->getBeginLoc());
    }
    case Stmt::CXXParenListInitExprClass: {
      auto *list =
          const_cast<clang::CXXParenListInitExpr *>(llvm::cast<clang::CXXParenListInitExpr>(e));
      return lowerInitList(l, e->getType(), list->getInitExprs(), list->getArrayFiller(),
                           e->getBeginLoc());
    }
    case Stmt::ArrayInitLoopExprClass:
      if (hasOwnCopy(e->getType())) break;
      return lowerValue(l,
                        llvm::cast<clang::ArrayInitLoopExpr>(e)->getCommonExpr()->getSourceExpr());
    case Stmt::CXXScalarValueInitExprClass:
      if (e->getType()->isVoidType()) return {};
      [[fallthrough]];
    case Stmt::ImplicitValueInitExprClass:
      return lowerInitList(l, e->getType(), {}, nullptr, e->getBeginLoc());
    case Stmt::LambdaExprClass:
      return lowerLambda(l, llvm::cast<clang::LambdaExpr>(e));
    case Stmt::DeclRefExprClass:
      if (const auto *function =
              llvm::dyn_cast<clang::FunctionDecl>(llvm::cast<clang::DeclRefExpr>(e)->getDecl()))
        return Val::ofFunction(function);
      break;
    case Stmt::MemberExprClass:
      return lowerTemporaryMember(l, llvm::cast<clang::MemberExpr>(e));
    default:
      break;
  }
  rejectNode(l, e);
  return l.placeholder(e->getType());
}

Val lowerValue(Lowering &l, const clang::Expr *e) {
  NestingScope nesting(l, e->getExprLoc());
  LocationScope here(l, e->getExprLoc());
  if (ir::Value *constant = l.foldConstant(e)) return constant;
  // std::nullptr_t has one value, which each conversion to a pointer knows.
  if (llvm::isa<clang::CXXNullPtrLiteralExpr>(e)) return Val::aggregate();
  if (isReadThroughPlace(e)) return readPlace(l, lowerPlace(l, e), e->getExprLoc(), nameOfPlace(e));
  return lowerPrvalue(l, e);
}

void lowerDiscarded(Lowering &l, const clang::Expr *e) {
  LocationScope here(l, e->getExprLoc());
  if (e->isGLValue())
    lowerPlace(l, e);
  else
    lowerValue(l, e);
}

// The value of a tl::constant<N>, which static_for passes to its function.
static std::optional<int64_t> numberOf(clang::QualType type) {
  const auto *record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(asRecord(type));
  if (!record || !isLanguageName(record, "constant")) return std::nullopt;
  return record->getTemplateArgs()[0].getAsIntegral().getExtValue();
}

ir::Value *lowerIr(Lowering &l, const clang::Expr *e) {
  Val value = lowerValue(l, e);
  if (value.isValue()) return value.value;
  if (auto number = numberOf(e->getType())) return l.builder.constant(ir::Scalar::I32, *number);
  if (!l.diagnostics.hasErrors())
    l.reject(
        e->getExprLoc(),
        "a value of type '" + e->getType().getAsString(l.context.getPrintingPolicy()) + "' here",
        "use a number, a pointer to numbers or a tile");
  auto type = lowerType(e->getType());
  return l.placeholderValue(type ? *type : ir::Type(ir::Scalar::I32));
}

ir::Value *lowerCondition(Lowering &l, const clang::Expr *e) {
  ir::Value *value = lowerIr(l, e);
  if (value->type.isTile()) return l.placeholderValue(ir::Scalar::Bool);
  return toBool(l, value);
}

}  // namespace tile2cu::frontend
