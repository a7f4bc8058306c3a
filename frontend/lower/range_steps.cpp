#include "frontend/lower/range_steps.h"

#include "frontend/lower/convert.h"

namespace tile2cu::frontend {

using ir::OpKind;

// Whether a type holds all non-negative values of another.
static bool holdsNonNegative(ir::Scalar from, ir::Scalar to) {
  const unsigned before = ir::bitWidth(from) - ir::isSigned(from),
                 after = ir::bitWidth(to) - ir::isSigned(to);
  return !ir::isFloat(from) && !ir::isFloat(to) && before <= after;
}

// Whether a value is visibly not negative: a constant, a value of an unsigned type, or a number of
// programs. The type in which a loop counts is part of the loop, so it is chosen here, before all
// passes. Signs that follow from arithmetic and from the launcher's checks are not used here;
// passes/simplify/check_steps.cpp uses them. A type that is wider than necessary is still correct.
static bool isNonNegative(const ir::Value *value) {
  if (!ir::isSigned(value->type.scalar())) return true;
  if (auto known = scalarConstant(value)) return *known >= 0;
  const ir::Op *op = value->definition;
  if (!op) return false;
  if (op->kind == OpKind::Cast)
    return holdsNonNegative(op->operand(0)->type.scalar(), value->type.scalar()) &&
           isNonNegative(op->operand(0));
  return op->kind == OpKind::Grid || op->kind == OpKind::ProgramId ||
         op->kind == OpKind::NumPrograms || op->kind == OpKind::NumSms;
}

// a < b by value, where one may be signed and the other unsigned, of up to 64 bits.
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
  CountedRange range{lower, upper, step, isFalling ? ir::Compare::Gt : ir::Compare::Lt};
  ir::Scalar type = ir::bitWidth(index) < 32 || index == ir::Scalar::Bool ? ir::Scalar::I32 : index;
  const bool isMixed = !ir::isSigned(type) && !(isNonNegative(lower) && isNonNegative(upper));
  if (isMixed && type == ir::Scalar::U32) type = ir::Scalar::I64;
  auto as = [&](ir::Value *value) { return convertElement(l, value, type); };
  range = {as(lower), as(upper), as(step), range.compare};
  if (isMixed && type == ir::Scalar::U64) {
    // No type holds both negative values and all unsigned 64-bit values, so the loop counts the
    // distance from the lower bound.
    ir::Value *zero = l.builder.constant(type, 0);
    ir::Value *distance = isFalling ? arithmetic(l, OpKind::Sub, range.lower, range.upper)
                                    : arithmetic(l, OpKind::Sub, range.upper, range.lower);
    ir::Value *runs = isFalling ? isLess(l, upper, lower) : isLess(l, lower, upper);
    range.offset = range.lower;
    range.isFalling = isFalling;
    range.lower = zero;
    range.upper = l.builder.select(runs, distance, zero);
    if (isFalling) range.step = arithmetic(l, OpKind::Neg, range.step);
    range.compare = ir::Compare::Lt;
  }
  return range;
}

}  // namespace tile2cu::frontend
