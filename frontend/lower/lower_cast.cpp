#include "clang/AST/ExprCXX.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/table.h"

namespace tile2cu::frontend {

// Whether the cast makes a pointer to const data one that may write to them.
static bool dropsConst(const clang::CastExpr *cast) {
  const clang::QualType from = cast->getSubExpr()->getType(), to = cast->getType();
  return from->isPointerType() && to->isPointerType() &&
         from->getPointeeType().isConstQualified() && !to->getPointeeType().isConstQualified();
}

// nullptr as a pointer to numbers.
static Val lowerNull(Lowering &l, const clang::CastExpr *cast) {
  if (cast->getSubExpr()->HasSideEffects(l.context)) lowerDiscarded(l, cast->getSubExpr());
  if (const auto type = lowerType(cast->getType()); type && type->isPointer())
    return nullPointer(l, *type);
  l.reject(
      cast->getExprLoc(),
      "a null pointer of type '" + cast->getType().getAsString(l.context.getPrintingPolicy()) + "'",
      "use a pointer to numbers");
  return l.placeholder(cast->getType());
}

Val lowerCast(Lowering &l, const clang::CastExpr *cast) {
  const clang::Expr *source = cast->getSubExpr();
  switch (cast->getCastKind()) {
    case clang::CK_LValueToRValue:
      return readPlace(l, lowerPlace(l, source), source->getExprLoc(), nameOfPlace(source));
    case clang::CK_NoOp:
      // std::array::data drops const and adds it again.
      if (dropsConst(cast) && !l.source.inSystemHeader(cast->getExprLoc())) {
        l.reject(cast->getExprLoc(), "a cast that drops const", "drop it from the parameter");
        return l.placeholder(cast->getType());
      }
      return lowerValue(l, source);
    case clang::CK_FunctionToPointerDecay:
    case clang::CK_BuiltinFnToFnPtr:
    case clang::CK_UserDefinedConversion:
    case clang::CK_ConstructorConversion:
      return lowerValue(l, source);
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToFloating:
    case clang::CK_FloatingToIntegral:
    case clang::CK_FloatingCast:
    case clang::CK_IntegralToBoolean:
    case clang::CK_FloatingToBoolean:
    case clang::CK_BooleanToSignedIntegral: {
      ir::Value *value = lowerIr(l, source);
      auto type = lowerType(cast->getType());
      if (!type) {
        l.reject(cast->getExprLoc(), "the type '" + cast->getType().getAsString() + "'",
                 "use bool, an integer of at most 64 bits, float16, bfloat16, float or double");
        return l.placeholder(cast->getType());
      }
      return type->scalar() == ir::Scalar::Bool ? toBool(l, value)
                                                : convertElement(l, value, type->scalar());
    }
    case clang::CK_BaseToDerived:
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase:
      if (!cast->getType()->isPointerType())
        return readPlace(l, lowerPlace(l, cast), cast->getExprLoc());
      l.reject(cast->getExprLoc(), "a pointer to a struct",
               "use the object itself, or a reference to it");
      return l.placeholder(cast->getType());
    case clang::CK_ToVoid:
      lowerDiscarded(l, source);
      return {};
    case clang::CK_PointerToBoolean:
      return toBool(l, lowerIr(l, source));
    case clang::CK_NullToPointer:
      return lowerNull(l, cast);
    case clang::CK_BitCast:
    case clang::CK_LValueBitCast:
    case clang::CK_PointerToIntegral:
    case clang::CK_IntegralToPointer:
      l.reject(cast->getExprLoc(), "a reinterpreting cast of pointers",
               "give the parameter the right pointer type");
      return l.placeholder(cast->getType());
    case clang::CK_ArrayToPointerDecay:
      if (ir::Value *table = tablePointer(l, source)) return table;
      l.reject(cast->getExprLoc(), "an array as a pointer",
               "make it a constexpr array of int, float or another number that C++ has, subscript "
               "it with a constant, or use a tile");
      return l.placeholder(cast->getType());
    default:
      break;
  }
  l.reject(cast->getExprLoc(),
           std::string("a conversion of this kind (") + cast->getCastKindName() + ")",
           "convert with static_cast or cast<T>(x)");
  return l.placeholder(cast->getType());
}

}  // namespace tile2cu::frontend
