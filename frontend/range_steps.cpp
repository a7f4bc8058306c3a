#include "frontend/range_steps.h"

#include "frontend/convert.h"

namespace tile2cu::frontend {

using ir::OpKind;

// Whether the condition is one of those that a require(...) ahead of here asks for.
static bool isRequired(const ir::Value *condition) {
  return llvm::any_of(condition->users, [](const ir::Op *user) {
    return user->kind == OpKind::Require ||
           (user->kind == OpKind::And && isRequired(user->result()));
  });
}

// Whether the launcher checks that the value is above 0: require(step > 0).
static bool isRequiredPositive(const ir::Value *value) {
  return llvm::any_of(value->users, [&](const ir::Op *user) {
    const bool isLeft = user->operand(0) == value;
    const bool isLarger = user->kind == (isLeft ? OpKind::Gt : OpKind::Lt),
               isAtLeast = user->kind == (isLeft ? OpKind::Ge : OpKind::Le);
    if (!isLarger && !isAtLeast) return false;
    const auto bound = scalarConstant(user->operand(isLeft ? 1 : 0));
    return bound && *bound >= (isLarger ? 0 : 1) && isRequired(user->result());
  });
}

// Whether a type has all positive values of another.
static bool holdsPositive(ir::Scalar from, ir::Scalar to) {
  const unsigned before = ir::bitWidth(from) - ir::isSigned(from),
                 behind = ir::bitWidth(to) - ir::isSigned(to);
  return !ir::isFloat(from) && !ir::isFloat(to) && before <= behind;
}

bool isPositive(const ir::Value *step) {
  if (auto known = scalarConstant(step)) return *known > 0;
  if (isRequiredPositive(step)) return true;
  const ir::Op *op = step->definition;
  if (!op) return false;
  const ir::Scalar type = step->type.scalar();
  switch (op->kind) {
    case OpKind::NumPrograms:
    case OpKind::NumSms:
      return true;
    case OpKind::Cast:
      return holdsPositive(op->operand(0)->type.scalar(), type) && isPositive(op->operand(0));
    case OpKind::Mul:
    case OpKind::Add:  // of unsigned numbers they may wrap around to 0
      return ir::isSigned(type) && isPositive(op->operand(0)) && isPositive(op->operand(1));
    default:
      return false;
  }
}

// Whether a number is certainly not below 0.
static bool isNonNegative(const ir::Value *value) {
  if (!ir::isSigned(value->type.scalar())) return true;
  if (auto known = scalarConstant(value)) return *known >= 0;
  const ir::Op *op = value->definition;
  if (!op) return false;
  if (op->kind == OpKind::Cast)
    return holdsPositive(op->operand(0)->type.scalar(), value->type.scalar()) &&
           isNonNegative(op->operand(0));
  return op->kind == OpKind::Grid || op->kind == OpKind::ProgramId || isPositive(value);
}

// a < b as numbers, where one may be signed and the other unsigned, of up to 64 bits.
static ir::Value *isLess(Lowering &l, ir::Value *a, ir::Value *b) {
  auto compare = [&](ir::Scalar type) {
    return arithmetic(l, OpKind::Lt, convertElement(l, a, type), convertElement(l, b, type));
  };
  auto isNegative = [&](ir::Value *value) {
    return arithmetic(l, OpKind::Lt, convertElement(l, value, ir::Scalar::I64),
                      l.builder.constant(ir::Scalar::I64, 0));
  };
  const bool isA = isNonNegative(a), isB = isNonNegative(b);
  if (!isA && !isB) return compare(ir::Scalar::I64);
  ir::Value *less = compare(ir::Scalar::U64);
  if (!isA) return arithmetic(l, OpKind::Or, isNegative(a), less);
  if (!isB) return arithmetic(l, OpKind::And, arithmetic(l, OpKind::Not, isNegative(b)), less);
  return less;
}

CountedRange countRange(Lowering &l, ir::Value *lower, ir::Value *upper, ir::Value *step,
                        ir::Scalar index) {
  const auto known = scalarConstant(step);
  const bool isFalling = ir::isSigned(step->type.scalar()) && known && *known < 0;
  CountedRange range{lower, upper, step, isFalling ? "gt" : "lt"};
  ir::Scalar type = ir::bitWidth(index) < 32 || index == ir::Scalar::Bool ? ir::Scalar::I32 : index;
  const bool isMixed = !ir::isSigned(type) && !(isNonNegative(lower) && isNonNegative(upper));
  if (isMixed && type == ir::Scalar::U32) type = ir::Scalar::I64;
  auto as = [&](ir::Value *value) { return convertElement(l, value, type); };
  range = {as(lower), as(upper), as(step), range.compare};
  if (isMixed && type == ir::Scalar::U64) {
    // No type has all numbers from a negative one to an unsigned one of 64 bits: counted is the distance from the lower bound.
    ir::Value *zero = l.builder.constant(type, 0);
    ir::Value *distance = isFalling ? arithmetic(l, OpKind::Sub, range.lower, range.upper)
                                    : arithmetic(l, OpKind::Sub, range.upper, range.lower);
    ir::Value *runs = isFalling ? isLess(l, upper, lower) : isLess(l, lower, upper);
    range.offset = range.lower;
    range.isFalling = isFalling;
    range.lower = zero;
    range.upper = l.builder.select(runs, distance, zero);
    if (isFalling) range.step = arithmetic(l, OpKind::Neg, range.step);
    range.compare = "lt";
  }
  // A step of 0 has no iteration.
  if (!known && !isPositive(step))
    range.upper =
        l.builder.select(arithmetic(l, OpKind::Eq, range.step, l.builder.constant(type, 0)),
                         range.lower, range.upper);
  return range;
}

}  // namespace tile2cu::frontend
