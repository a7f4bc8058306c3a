// C++'s own operators, on scalars and pointers. Operators on tiles are calls of the header's
// functions.
#include "clang/AST/ComparisonCategories.h"
#include "clang/AST/ExprCXX.h"
#include "frontend/clang/lower_type.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"
#include "frontend/lower/lower_expr.h"

namespace tile2cu::frontend {

using ir::DiagId;
using ir::OpKind;

static std::optional<OpKind> kindOf(clang::BinaryOperatorKind opcode) {
  switch (opcode) {
    case clang::BO_Add:
    case clang::BO_AddAssign:
      return OpKind::Add;
    case clang::BO_Sub:
    case clang::BO_SubAssign:
      return OpKind::Sub;
    case clang::BO_Mul:
    case clang::BO_MulAssign:
      return OpKind::Mul;
    case clang::BO_Div:
    case clang::BO_DivAssign:
      return OpKind::Div;
    case clang::BO_Rem:
    case clang::BO_RemAssign:
      return OpKind::Rem;
    case clang::BO_And:
    case clang::BO_AndAssign:
      return OpKind::And;
    case clang::BO_Or:
    case clang::BO_OrAssign:
      return OpKind::Or;
    case clang::BO_Xor:
    case clang::BO_XorAssign:
      return OpKind::Xor;
    case clang::BO_Shl:
    case clang::BO_ShlAssign:
      return OpKind::Shl;
    case clang::BO_Shr:
    case clang::BO_ShrAssign:
      return OpKind::Shr;
    case clang::BO_LT:
      return OpKind::Lt;
    case clang::BO_LE:
      return OpKind::Le;
    case clang::BO_GT:
      return OpKind::Gt;
    case clang::BO_GE:
      return OpKind::Ge;
    case clang::BO_EQ:
      return OpKind::Eq;
    case clang::BO_NE:
      return OpKind::Ne;
    default:
      return std::nullopt;
  }
}

// `lhs op rhs` after C++'s conversions, which are part of Clang's AST.
static ir::Value *compute(Lowering &l, const clang::BinaryOperator *op, OpKind kind, ir::Value *lhs,
                          ir::Value *rhs) {
  bool pointers = lhs->type.isPointer() || rhs->type.isPointer();
  if (pointers && (kind == OpKind::Add || kind == OpKind::Sub) &&
      lhs->type.isPointer() != rhs->type.isPointer()) {
    if (lhs->type.isPointer()) return offsetPointer(l, lhs, rhs, kind == OpKind::Sub);
    return offsetPointer(l, rhs, lhs);
  }
  const bool isEquality = kind == OpKind::Eq || kind == OpKind::Ne;
  if (pointers && isEquality && isNullPointer(lhs)) std::swap(lhs, rhs);
  if (pointers && isEquality && isNullPointer(rhs)) {
    if (isNullPointer(lhs)) return l.builder.constant(ir::Scalar::Bool, kind == OpKind::Eq);
    return l.builder.binary(kind, lhs, convertExactly(l, rhs, lhs->type));
  }
  if (pointers) {
    const bool isDifference = kind == OpKind::Sub;
    l.reject(op->getOperatorLoc(),
             isDifference ? "the difference of two pointers" : "a comparison of two pointers",
             isDifference ? "compute with offsets"
                          : "compare with nullptr only, or compute with offsets");
    return l.placeholderValue(ir::isComparison(kind) ? ir::Scalar::Bool : ir::Scalar::I64);
  }
  if (kind == OpKind::Shl || kind == OpKind::Shr) rhs = convertElement(l, rhs, lhs->type.scalar());
  if (!lhs->type.sameTile(rhs->type)) rhs = convert(l, rhs, lhs->type);
  return arithmetic(l, kind, lhs, rhs);
}

// Whether it is harmless and cheap to evaluate the expression unconditionally.
static bool isCheap(const Lowering &l, const clang::Expr *e) {
  e = e->IgnoreParens();
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    switch (cast->getCastKind()) {
      case clang::CK_UserDefinedConversion:
      case clang::CK_ConstructorConversion:
        return false;
      default:
        return isCheap(l, cast->getSubExpr());
    }
  }
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return isCheap(l, full->getSubExpr());
  if (const auto *parameter = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e))
    return isCheap(l, parameter->getReplacement());
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(e))
    return (unary->isArithmeticOp()) && isCheap(l, unary->getSubExpr());
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    if (binary->isAssignmentOp() || binary->getOpcode() == clang::BO_Comma) return false;
    // The condition may guard against a division by zero.
    if (binary->isMultiplicativeOp() && binary->getOpcode() != clang::BO_Mul &&
        !binary->getType()->isFloatingType())
      return llvm::isa<clang::IntegerLiteral>(binary->getRHS()->IgnoreParenImpCasts()) &&
             isCheap(l, binary->getLHS());
    return isCheap(l, binary->getLHS()) && isCheap(l, binary->getRHS());
  }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e))
    return !member->isArrow() && !member->getMemberDecl()->getType()->isReferenceType() &&
           isCheap(l, member->getBase());
  // The condition may guard a read of the memory that a reference stands for.
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const Place *place = l.env.find(reference->getDecl());
    return !place || !l.env.resolve(*place).isMemory();
  }
  return llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr,
                   clang::CharacterLiteral, clang::CXXNullPtrLiteralExpr>(e);
}

// && and ||: the right side is evaluated only if the left one does not decide.
static Val lowerLogical(Lowering &l, const clang::BinaryOperator *op) {
  bool isAnd = op->getOpcode() == clang::BO_LAnd;
  ir::Value *lhs = lowerCondition(l, op->getLHS());
  if (auto known = scalarConstant(lhs)) {
    if ((*known != 0) != isAnd) return l.builder.constant(ir::Scalar::Bool, *known);
    return lowerCondition(l, op->getRHS());
  }
  if (isCheap(l, op->getRHS()))
    return arithmetic(l, isAnd ? OpKind::And : OpKind::Or, lhs, lowerCondition(l, op->getRHS()));
  Place result = l.env.declare("", lhs);
  auto right = [&] {
    l.env.write(result, lowerCondition(l, op->getRHS()));
    return Flow::Falls;
  };
  auto nothing = [] { return Flow::Falls; };
  if (isAnd)
    branch(l, lhs, right, nothing);
  else
    branch(l, lhs, nothing, right);
  return l.env.read(result);
}

// lhs <=> rhs: an object of std::strong_ordering or std::partial_ordering, which holds a number.
static Val lowerThreeWay(Lowering &l, const clang::BinaryOperator *op) {
  ir::Value *lhs = lowerIr(l, op->getLHS()), *rhs = lowerIr(l, op->getRHS());
  const auto &category = l.context.CompCategories.getInfoForType(op->getType());
  Val result = l.undefined(op->getType());
  if (lhs->type.isPointer() || result.fields.size() != 1) {
    l.reject(op->getOperatorLoc(), "this operator <=>", "use <, == and the other comparisons");
    return l.placeholder(op->getType());
  }
  const auto number = [&](const clang::ComparisonCategoryInfo::ValueInfo *of) {
    return l.builder.constant(ir::Scalar::I8, of->getIntValue().getExtValue());
  };
  const auto where = [&](OpKind kind, ir::Value *yes, ir::Value *no) {
    return l.builder.select(compute(l, op, kind, lhs, rhs), yes, no);
  };
  ir::Value *rest = number(category.getEqualOrEquiv());
  if (category.isPartial()) rest = where(OpKind::Eq, rest, number(category.getUnordered()));
  rest = where(OpKind::Gt, number(category.getGreater()), rest);
  result.fields[0] = where(OpKind::Lt, number(category.getLess()), rest);
  return result;
}

Val lowerBinaryOperator(Lowering &l, const clang::BinaryOperator *op) {
  if (op->isAssignmentOp()) return readPlace(l, lowerAssignment(l, op), op->getOperatorLoc());
  if (op->isLogicalOp()) return lowerLogical(l, op);
  if (op->getOpcode() == clang::BO_Comma) {
    lowerDiscarded(l, op->getLHS());
    return lowerValue(l, op->getRHS());
  }
  if (op->getOpcode() == clang::BO_Cmp) return lowerThreeWay(l, op);
  auto kind = kindOf(op->getOpcode());
  if (!kind) {
    l.reject(op->getOperatorLoc(), "operator " + op->getOpcodeStr().str(), "name the member");
    return l.placeholder(op->getType());
  }
  ir::Value *lhs = lowerIr(l, op->getLHS());
  ir::Value *rhs = lowerIr(l, op->getRHS());
  return compute(l, op, *kind, lhs, rhs);
}

Place lowerAssignment(Lowering &l, const clang::BinaryOperator *op) {
  std::string name = nameOfPlace(op->getLHS());
  const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(op);
  if (!compound) {
    Val value = lowerValue(l, op->getRHS());  // C++17: the right side is evaluated first
    Place place = lowerPlace(l, op->getLHS());
    writePlace(l, place, std::move(value), op->getOperatorLoc(), name);
    return place;
  }
  ir::Value *rhs = lowerIr(l, op->getRHS());
  Place place = lowerPlace(l, op->getLHS());
  Val old = readPlace(l, place, op->getLHS()->getExprLoc(), name);
  if (!old.isValue()) return place;
  ir::Value *lhs = old.value;
  if (auto type = lowerType(compound->getComputationLHSType()); type && !type->isPointer())
    lhs = convertElement(l, lhs, type->scalar());
  ir::Value *result = compute(l, op, *kindOf(op->getOpcode()), lhs, rhs);
  if (!result->type.isPointer()) result = convertElement(l, result, old.value->type.scalar());
  writePlace(l, place, result, op->getOperatorLoc(), name);
  return place;
}

Incremented lowerIncrement(Lowering &l, const clang::UnaryOperator *op) {
  Place place = lowerPlace(l, op->getSubExpr());
  Val old = readPlace(l, place, op->getOperatorLoc(), nameOfPlace(op->getSubExpr()));
  if (!old.isValue()) return {place, old};
  const ir::Type &type = old.value->type;
  ir::Value *result = nullptr;
  if (type.isPointer()) {
    result = l.builder.addptr(old.value,
                              l.builder.constant(ir::Scalar::I32, op->isIncrementOp() ? 1 : -1));
  } else {
    // As in C++: integers narrower than int are added as ints and then truncated. Passes rely on
    // the IR's signed arithmetic not to overflow.
    const ir::Scalar scalar = type.scalar();
    const bool isNarrow = ir::isInteger(scalar) && ir::bitWidth(scalar) < 32;
    ir::Value *from = isNarrow ? convertElement(l, old.value, ir::Scalar::I32) : old.value;
    result = arithmetic(l, op->isIncrementOp() ? OpKind::Add : OpKind::Sub, from,
                        l.builder.constant(from->type.scalar(), 1));
    result = convertElement(l, result, scalar);
  }
  writePlace(l, place, result, op->getOperatorLoc(), nameOfPlace(op->getSubExpr()));
  return {place, old};
}

Val lowerUnaryOperator(Lowering &l, const clang::UnaryOperator *op) {
  switch (op->getOpcode()) {
    case clang::UO_Plus:
    case clang::UO_Extension:
      return lowerValue(l, op->getSubExpr());
    case clang::UO_Minus:
      return arithmetic(l, OpKind::Neg, lowerIr(l, op->getSubExpr()));
    case clang::UO_Not:
      return arithmetic(l, OpKind::Not, lowerIr(l, op->getSubExpr()));
    case clang::UO_LNot:
      return arithmetic(l, OpKind::Not, lowerCondition(l, op->getSubExpr()));
    case clang::UO_PreInc:
    case clang::UO_PreDec:
      return readPlace(l, lowerIncrement(l, op).place, op->getOperatorLoc());
    case clang::UO_PostInc:
    case clang::UO_PostDec:
      return lowerIncrement(l, op).before;
    case clang::UO_AddrOf:
      if (const auto *reference =
              llvm::dyn_cast<clang::DeclRefExpr>(op->getSubExpr()->IgnoreParens()))
        if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
          return Val::ofFunction(function);
      l.reject(op->getOperatorLoc(), "the address of a variable",
               "pass the value, or a pointer parameter plus an offset");
      return l.placeholder(op->getType());
    case clang::UO_Deref:
    case clang::UO_Real:
    case clang::UO_Imag:
    case clang::UO_Coawait:
      break;
  }
  l.reject(op->getOperatorLoc(),
           "operator " + clang::UnaryOperator::getOpcodeStr(op->getOpcode()).str(),
           "write it with plain arithmetic");
  return l.placeholder(op->getType());
}

// Functions and references have to be known while a kernel is translated; only values can be chosen
// at run time.
static bool isKnownAhead(const Val &value) {
  return value.kind == Val::Kind::Function || value.kind == Val::Kind::Reference ||
         llvm::any_of(value.fields, isKnownAhead);
}

static Val checkChosen(Lowering &l, Val value, const clang::AbstractConditionalOperator *op) {
  if (isKnownAhead(value))
    l.reject(op->getExprLoc(), "a choice between functions or references",
             "call the function, or use the variable, in both branches of an if");
  return value;
}

// Field by field, so that tuples can be chosen too.
static Val selectVal(Lowering &l, ir::Value *condition, const Val &a, const Val &b) {
  if (a.isValue() && b.isValue()) {
    if (a.value == b.value) return a;
    ir::Value *wide = stretch(l, condition, a.value->type.shape());
    return l.builder.select(wide, a.value, convertExactly(l, b.value, a.value->type));
  }
  Val result = a;
  for (size_t i = 0; i < a.fields.size() && i < b.fields.size(); ++i)
    result.fields[i] = selectVal(l, condition, a.fields[i], b.fields[i]);
  return result;
}

Val lowerConditional(Lowering &l, const clang::AbstractConditionalOperator *op) {
  ir::Value *condition = lowerCondition(l, op->getCond());
  if (auto known = scalarConstant(condition))
    return lowerValue(l, *known ? op->getTrueExpr() : op->getFalseExpr());
  if (op->getType()->isVoidType()) {
    branch(
        l, condition,
        [&] {
          lowerValue(l, op->getTrueExpr());
          return Flow::Falls;
        },
        [&] {
          lowerValue(l, op->getFalseExpr());
          return Flow::Falls;
        });
    return {};
  }
  if (isCheap(l, op->getTrueExpr()) && isCheap(l, op->getFalseExpr())) {
    Val onTrue = lowerValue(l, op->getTrueExpr());
    Val onFalse = lowerValue(l, op->getFalseExpr());
    return checkChosen(l, selectVal(l, condition, onTrue, onFalse), op);
  }
  Place result = l.env.declare("", l.undefined(op->getType()));
  auto arm = [&](const clang::Expr *e) {
    return [&l, &result, op, e] {
      Val value = lowerValue(l, e);
      if (value.kind == Val::Kind::Void) value = l.placeholder(op->getType());  // throw
      l.env.write(result, std::move(value));
      return Flow::Falls;
    };
  };
  branch(l, condition, arm(op->getTrueExpr()), arm(op->getFalseExpr()));
  return checkChosen(l, l.env.read(result), op);
}

}  // namespace tile2cu::frontend
