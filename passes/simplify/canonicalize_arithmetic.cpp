#include <cmath>

#include "passes/analysis/integer/integers.h"
#include "passes/simplify/canonicalize_rules.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// Whether every value of `from` is a value of `to`.
bool isExact(Scalar from, Scalar to) {
  if (from == to || from == Scalar::Bool) return true;
  if (to == Scalar::Bool) return false;
  const bool isWider = exactDigits(to) >= exactDigits(from);
  if (isFloat(from)) return isFloat(to) && isWider && (to == Scalar::F32 || to == Scalar::F64);
  if (isFloat(to)) return isWider && to != Scalar::F16;
  return isWider && (isSigned(to) || !isSigned(from));
}

struct Rules {
  Op &op;
  Builder builder = Builder::before(&op);
  const Type &type = op.result()->type;
  Scalar scalar = type.scalar();
  bool isReal = !type.isPointer() && isFloat(scalar);
  bool isInt = !type.isPointer() && isInteger(scalar);
  bool isBool = !type.isPointer() && scalar == Scalar::Bool;

  Value *in(unsigned i) const { return op.operand(i); }
  static bool isNumber(const Value *value, double number) {
    auto constant = constantOf(value);
    if (!constant) return false;
    if (!constant->isReal()) return constant->integer == number;
    return constant->real == number && std::signbit(constant->real) == std::signbit(number);
  }
  static bool isAllOnes(const Value *value) {
    auto constant = constantOf(value);
    if (!constant || constant->isReal()) return false;
    if (constant->type == Scalar::Bool) return constant->integer == 1;
    return foldInteger(OpKind::Eq, constant->type, constant->integer, -1) == 1;
  }
  Value *zero() { return constantLike(builder, type, Const{scalar, 0, 0}); }
  Value *make(OpKind kind, llvm::ArrayRef<Value *> operands) {
    return builder.create(kind, operands, {type}, op.result()->name)->result();
  }
  static Op *definedBy(Value *value, OpKind kind) {
    return value->definition && value->definition->kind == kind ? value->definition : nullptr;
  }

  Value *constant() {
    if (type.isTile()) return nullptr;  // splats of constants are folded as scalars first
    llvm::SmallVector<Const, 3> operands;
    for (Value *value : op.operands()) {
      auto known = value ? constantOf(value) : std::nullopt;
      if (!known) return nullptr;
      operands.push_back(*known);
    }
    auto result = operands.empty() ? std::nullopt : fold(op, operands);
    if (!result) return nullptr;
    const auto a = constantDim(op.operand(0)), b = constantDim(op.operand(1));
    if (!isInteger(result->type) || !a) return makeConstant(builder, *result);
    const Dim size = b ? combined(op.kind, *a, *b, result->integer) : Dim(result->integer);
    return builder.constant(result->type, op.kind == OpKind::Cast ? size.orFrom(*a) : size);
  }

  Value *add() {
    for (unsigned i : {0u, 1u})
      if (isNumber(in(i), isReal ? -0.0 : 0.0))
        return in(1 - i);  // x + 0.0 is not an identity for -0.0
    return nullptr;
  }
  Value *sub() {
    if (isNumber(in(1), 0.0)) return in(0);
    return isInt && in(0) == in(1) ? zero() : nullptr;
  }
  Value *mul() {
    for (unsigned i : {0u, 1u}) {
      if (isNumber(in(i), 1.0)) return in(1 - i);
      if (isInt && isNumber(in(i), 0)) return zero();
    }
    return nullptr;
  }
  Value *div() {
    if (isNumber(in(1), 1.0)) return in(0);
    if (!isInt || op.kind == OpKind::DivRn) return nullptr;
    if (isNumber(in(0), 0)) return zero();
    // x / c is 0 for 0 <= x < c.
    auto x = rangeOf(in(0), Assume::Nothing), by = rangeOf(in(1), Assume::Nothing);
    return x && by && x->low >= 0 && x->high < by->low ? zero() : nullptr;
  }
  Value *rem() {
    if (!isInt) return nullptr;
    if (isNumber(in(1), 1) || isNumber(in(0), 0)) return zero();
    auto x = rangeOf(in(0), Assume::Nothing), by = rangeOf(in(1), Assume::Nothing);
    return x && by && x->low >= 0 && x->high < by->low ? in(0) : nullptr;
  }
  Value *shift() {
    if (isNumber(in(1), 0)) return in(0);
    return isNumber(in(0), 0) ? zero() : nullptr;
  }

  Value *bits() {
    bool isAnd = op.kind == OpKind::And, isOr = op.kind == OpKind::Or;
    if (in(0) == in(1)) return isAnd || isOr ? in(0) : zero();
    for (unsigned i : {0u, 1u}) {
      bool isZero = isNumber(in(i), 0), isOnes = isAllOnes(in(i));
      if (isAnd && isZero) return in(i);
      if (isAnd && isOnes) return in(1 - i);
      if (!isAnd && isZero) return in(1 - i);
      if (isOr && isOnes) return in(i);
      if (op.kind == OpKind::Xor && isOnes) return make(OpKind::Not, {in(1 - i)});
    }
    return nullptr;
  }

  Value *extreme() {
    if (in(0) == in(1)) return in(0);
    if (!isInt) return nullptr;
    bool isMin = op.kind == OpKind::Minimum;
    auto below = Integers(Assume::Nothing).compare(Compare::Le, in(0), in(1));
    if (below == true) return in(isMin ? 0 : 1);
    auto above = Integers(Assume::Nothing).compare(Compare::Ge, in(0), in(1));
    return above == true ? in(isMin ? 1 : 0) : nullptr;
  }

  Value *compare() {
    const Type &operand = in(0)->type;
    const Compare compare = compareOf(op.kind);
    bool isReflexive = operand.isPointer() || !isFloat(operand.scalar());  // NaN == NaN is false
    if (in(0) == in(1) && isReflexive) return boolLike(builder, type, holds(compare, 0, 0));
    if (operand.isPointer()) return nullptr;
    if (auto known = Integers(Assume::Nothing).compare(compare, in(0), in(1)))
      return boolLike(builder, type, *known);
    if (operand.scalar() != Scalar::Bool) return nullptr;
    // b == true, b != false, ...
    for (unsigned i : {0u, 1u}) {
      auto value = constantBool(in(i));
      if (!value || !isEquality(compare)) continue;
      return *value == (compare == Compare::Eq) ? in(1 - i) : make(OpKind::Not, {in(1 - i)});
    }
    return nullptr;
  }

  Value *select() {
    if (auto condition = constantBool(in(0))) return in(*condition ? 1 : 2);
    const auto first = constantOf(in(1)), second = constantOf(in(2));
    if (in(1) == in(2) || (first && second && first->same(*second))) return in(1);
    if (Op *negated = definedBy(in(0), OpKind::Not))
      return make(OpKind::Select, {negated->operand(0), in(2), in(1)});
    if (!isBool) return nullptr;
    auto onTrue = constantBool(in(1)), onFalse = constantBool(in(2));
    if (onTrue == true && onFalse == false) return in(0);
    if (onTrue == false && onFalse == true) return make(OpKind::Not, {in(0)});
    return nullptr;
  }

  Value *logicalNot() {
    if (Op *twice = definedBy(in(0), OpKind::Not)) return twice->operand(0);
    Op *comparison = in(0)->definition;
    if (!comparison || !comparison->is(Comparison)) return nullptr;
    const Compare compare = compareOf(comparison->kind);
    // !(a < b) is not a >= b for NaN.
    const Type &operand = comparison->operand(0)->type;
    bool isOrdered = operand.isPointer() || !isFloat(operand.scalar());
    if (!isOrdered && !isEquality(compare)) return nullptr;
    return make(kindOf(inverted(compare)), {comparison->operand(0), comparison->operand(1)});
  }

  // A cast of a cast, first -> middle -> scalar, is one cast in two cases:
  //
  // 1. Every value of `first` is a value of `middle`. The inner cast then changes no number,
  //    whatever its rounding. The outer cast depends only on the number it gets and on its own
  //    rounding, which the joined cast keeps: to a float it rounds the number once, to bool it
  //    compares it with 0, from a float to an integer it truncates it, and from an integer to an
  //    integer it takes it modulo 2^n. (int -> float -> narrower int truncates where the joined
  //    cast takes the number modulo 2^n. They differ only out of range, where the former is
  //    undefined.)
  // 2. All three are integers, and `middle` is not narrower than `scalar`: the first cast keeps the
  //    number modulo 2^(bits of middle), and so modulo 2^(bits of scalar). The first cast may have
  //    lost something, so that what is known of the second alone does not hold for the joined cast.
  Value *cast() {
    const Type &from = in(0)->type;
    if (from.element() == type.element()) return in(0);
    if (op.has(Attr::rounding) && isExact(from.scalar(), scalar))
      return make(OpKind::Cast, {in(0)});
    Op *inner = definedBy(in(0), OpKind::Cast);
    if (!inner) return nullptr;
    Scalar first = inner->operand(0)->type.scalar(), middle = from.scalar();
    const bool keepsNumber = isExact(first, middle);
    const bool cutsTwice = isInteger(first) && isInteger(middle) && isInteger(scalar) &&
                           bitWidth(middle) >= bitWidth(scalar);
    if (!keepsNumber && !cutsTwice) return nullptr;
    // The way back loses nothing, but conversions to float8 saturate.
    if (first == scalar) return isFloat8(scalar) ? nullptr : inner->operand(0);
    Value *direct = make(OpKind::Cast, {inner->operand(0)});
    if (keepsNumber) direct->definition->attributes = op.attributes;
    return direct;
  }

  Value *run() {
    if (auto *known = constant()) return known;
    if (op.is(Comparison)) return compare();
    switch (op.kind) {
      case OpKind::Add:
        return add();
      case OpKind::Sub:
        return sub();
      case OpKind::Mul:
        return mul();
      case OpKind::Div:
      case OpKind::DivRn:
        return div();
      case OpKind::Rem:
        return rem();
      case OpKind::Shl:
      case OpKind::Shr:
        return shift();
      case OpKind::And:
      case OpKind::Or:
      case OpKind::Xor:
        return bits();
      case OpKind::Minimum:
      case OpKind::Maximum:
        return extreme();
      case OpKind::Select:
        return select();
      case OpKind::Not:
        return logicalNot();
      case OpKind::Neg:
        if (Op *twice = definedBy(in(0), OpKind::Neg)) return twice->operand(0);
        return nullptr;
      case OpKind::Abs:
        return definedBy(in(0), OpKind::Abs) ? in(0) : nullptr;
      case OpKind::AddPtr:
        return isNumber(in(1), 0) ? in(0) : nullptr;
      case OpKind::Cast:
        return cast();
      case OpKind::Bitcast:
        return in(0)->type.element() == type.element() ? in(0) : nullptr;
      default:
        return nullptr;
    }
  }
};

}  // namespace

Value *simplifyArithmetic(Op &op) {
  if (!op.is(Elementwise) || op.numResults() != 1) return nullptr;
  return Rules{op}.run();
}

}  // namespace tile2cu::passes
