#include "emit/spelling/cuda_scalar.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>

#include "passes/analysis/integer/cdiv.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

std::string cppType(const Element &element) {
  const char *name = "";
  switch (element.scalar) {
    case Scalar::None:
      name = "void";
      break;
    case Scalar::Bool:
      name = "bool";
      break;
    case Scalar::I8:
      name = "int8_t";
      break;
    case Scalar::U8:
      name = "uint8_t";
      break;
    case Scalar::I16:
      name = "int16_t";
      break;
    case Scalar::U16:
      name = "uint16_t";
      break;
    case Scalar::I32:
      name = "int";
      break;
    case Scalar::U32:
      name = "uint32_t";
      break;
    case Scalar::I64:
      name = "int64_t";
      break;
    case Scalar::U64:
      name = "uint64_t";
      break;
    case Scalar::F16:
      name = "__half";
      break;
    case Scalar::BF16:
      name = "__nv_bfloat16";
      break;
    case Scalar::F32:
      name = "float";
      break;
    case Scalar::F64:
      name = "double";
      break;
    case Scalar::F8E4M3:
      name = "__nv_fp8_e4m3";
      break;
    case Scalar::F8E5M2:
      name = "__nv_fp8_e5m2";
      break;
  }
  if (element.target != Scalar::None) {
    const std::string to = (element.targetConst ? "const " : "") + cppType(element.target) + "*";
    return !element.pointer ? to : to + (element.pointeeConst ? " const*" : "*");
  }
  if (!element.pointer) return name;
  return std::string(element.pointeeConst ? "const " : "") + name + "*";
}

Expr typeOf(const Element &element) {
  if (element.target != Scalar::None) {
    const Expr to =
        pointerTo(word((element.targetConst ? "const " : "") + cppType(element.target)));
    if (!element.pointer) return to;
    const std::string pointee = cppType(Type(element).pointee());
    return pointerTo(word(pointee + (element.pointeeConst ? " const" : "")));
  }
  if (!element.pointer) return word(cppType(element));
  return pointerTo(word((element.pointeeConst ? "const " : "") + cppType(element.scalar)));
}

Expr literal(Scalar scalar, int64_t value) {
  if (scalar == Scalar::Bool) return word(value ? "true" : "false");
  if (isFloat(scalar)) return literal(scalar, static_cast<double>(value));
  std::string text;
  // int64_t is `long` for some compilers and `long long` for others, so no suffix says it. A
  // decimal literal that does not fit in 32 bits has the type with 64, whichever that is.
  if (scalar == Scalar::U64) {
    const auto number = static_cast<uint64_t>(value);
    text = std::to_string(number);
    if (number <= std::numeric_limits<uint32_t>::max()) return call("uint64_t", {digits(text)});
    text += "u";
  } else if (scalar == Scalar::U32)
    text = std::to_string(static_cast<uint32_t>(value)) + "u";
  else if (value == std::numeric_limits<int64_t>::min())
    return word("INT64_MIN");
  else if (value == std::numeric_limits<int32_t>::min())
    return scalar == Scalar::I64 ? call("int64_t", {word("INT_MIN")}) : word("INT_MIN");
  else
    text = std::to_string(value);
  return digits(text);
}

namespace {
// The shortest decimal that reads back as the same float or double.
std::string shortest(double value, bool single) {
  char buffer[64];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    bool same = single ? std::strtof(buffer, nullptr) == static_cast<float>(value)
                       : std::strtod(buffer, nullptr) == value;
    if (same) break;
  }
  std::string text = buffer;
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single ? text + "f" : text;
}
}  // namespace

Expr literal(Scalar scalar, double value) {
  if (!isFloat(scalar)) return literal(scalar, static_cast<int64_t>(value));
  const Expr e = std::isnan(value)   ? word("NAN")
                 : std::isinf(value) ? digits(value < 0 ? "-INFINITY" : "INFINITY")
                                     : digits(shortest(value, scalar != Scalar::F64));
  const bool isTyped =
      isHalf(scalar) || isFloat8(scalar) || (scalar == Scalar::F64 && !std::isfinite(value));
  return isTyped ? call(cppType(scalar), {e}) : e;
}

bool isZero(const Expr &e) {
  if (e.isCallOf("uint64_t")) return isZero(e.operand(1));
  if (!e.isLiteral()) return e.is(ExprKind::Word, "false");
  const std::string &digits = e.spelling();
  return digits == "0" || digits == "0u" || digits == "0.0f" || digits == "0.0";
}

Expr withoutCast(const Expr &e, const Value *value) {
  for (const Op *op = value->definition; op; op = op->operand(0)->definition) {
    if (op->kind != OpKind::Cast && op->kind != OpKind::Hint) break;
    if (op->kind == OpKind::Cast && !passes::isWidening(op)) return e;
  }
  const bool isPlain = e.isCallOf("int64_t") && !anyOf(e.operand(1), [](const Expr &node) {
                         return node.is(ExprKind::Call);
                       });
  return isPlain ? e.operand(1) : e;
}

Expr roundedProduct(Scalar scalar, const Expr &a, const Expr &b) {
  return call(scalar == Scalar::F32   ? "__fmul_rn"
              : scalar == Scalar::F64 ? "__dmul_rn"
                                      : "tile2cu::multiply",
              {a, b});
}

Expr nullPointer(const Type &type) {
  return call(instance("static_cast", {typeOf(type)}), {word("nullptr")});
}

Expr typedLiteral(Scalar scalar, const Expr &e) {
  const bool isNatural = scalar == Scalar::I32 || scalar == Scalar::U32 || isFloat(scalar);
  return e.isLiteral() && !isNatural ? call(cppType(scalar), {e}) : e;
}

// Whether operand `i` is the divisor of an unsigned number that has a cast or a type in the text.
static bool isUnsignedDivisor(const Op *op, unsigned i) {
  const Op *cast = op->operand(i)->definition;
  const bool divides = op->kind == OpKind::Div || op->kind == OpKind::Rem;
  return divides && i == 1 && op->operand(i)->type.scalar() == Scalar::U32 && cast &&
         cast->kind == OpKind::Cast && cast->operand(0)->type.scalar() == Scalar::I32 &&
         cast->result()->name.empty() && !constantInt(op->operand(0));
}

const Op *conversionOf(const Value *value) {
  const Op *op = value->definition;
  if (op && op->kind == OpKind::Splat) op = op->operand(0)->definition;
  return op && op->kind == OpKind::Cast ? op : nullptr;
}

bool isConvertedInPlace(const Op *op, unsigned i) {
  const Value *value = op->operand(i);
  if (isUnsignedDivisor(op, i)) return true;
  const bool isArithmetic = op->kind == OpKind::Add || op->kind == OpKind::Sub ||
                            op->kind == OpKind::Mul || op->is(Comparison);
  const bool isOffset = op->kind == OpKind::AddPtr && i == 1;
  if ((!isArithmetic && !isOffset) || value->type.isPointer() ||
      value->type.scalar() != Scalar::I64)
    return false;
  const auto isWidened = [](const Value *v) {
    const Op *cast = conversionOf(v);
    const bool isNamed = cast && !cast->result()->type.isTile() && !cast->result()->name.empty();
    return cast && !isNamed && isSigned(cast->operand(0)->type.scalar());
  };
  if (!isWidened(value)) return false;
  if (isOffset) return true;
  const Value *other = op->operand(1 - i);
  return !constantInt(other) && (!isWidened(other) || i == 1);
}

Expr comparison(Compare compare, const Expr &a, const Expr &b) {
  const auto sign = [&] {
    switch (compare) {
      case Compare::Lt:
        return "<";
      case Compare::Le:
        return "<=";
      case Compare::Gt:
        return ">";
      case Compare::Ge:
        return ">=";
      case Compare::Eq:
        return "==";
      case Compare::Ne:
        return "!=";
    }
    llvm_unreachable("every comparison is listed");
  };
  return binary(isEquality(compare) ? Prec::Equality : Prec::Relational, sign(), a, b);
}

Expr combineFunctor(ReduceKind kind, Scalar scalar) {
  return braces(instance("tile2cu::" + wordOf(kind).str() + "_op", {typeOf(scalar)}), {});
}

Expr combineInThread(ReduceKind kind, Scalar scalar, const Expr &a, const Expr &b) {
  const bool isLogical = scalar == Scalar::Bool;
  switch (kind) {
    case ReduceKind::Sum:
      return binary(Prec::Additive, "+", a, b);
    case ReduceKind::Prod:
      return isFloat(scalar) ? roundedProduct(scalar, a, b)
                             : binary(Prec::Multiplicative, "*", a, b);
    case ReduceKind::Or:
      return isLogical ? binary(Prec::Or, "||", a, b) : binary(Prec::BitOr, "|", a, b);
    case ReduceKind::And:
      return isLogical ? binary(Prec::And, "&&", a, b) : binary(Prec::BitAnd, "&", a, b);
    case ReduceKind::Xor:
      return isLogical ? binary(Prec::Equality, "!=", a, b) : binary(Prec::BitXor, "^", a, b);
    case ReduceKind::Max:
    case ReduceKind::Min: {
      const bool isMax = kind == ReduceKind::Max;
      if (scalar == Scalar::F32) return call(isMax ? "fmaxf" : "fminf", {a, b});
      if (scalar == Scalar::F64) return call(isMax ? "fmax" : "fmin", {a, b});
      if (scalar == Scalar::I32) return call(isMax ? "max" : "min", {a, b});
      const std::string name = isMax ? "tile2cu::maximum" : "tile2cu::minimum";
      return call(name + (isFloat(scalar) ? "_number<" : "<") + cppType(scalar) + ">", {a, b});
    }
    case ReduceKind::MaxNan:
    case ReduceKind::MinNan:
    case ReduceKind::Argmax:
    case ReduceKind::Argmin:
      return call(combineFunctor(kind, scalar), {a, b});
  }
  llvm_unreachable("every kind is listed");
}

}  // namespace tile2cu::emit
