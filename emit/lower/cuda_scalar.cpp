#include "emit/lower/cuda_scalar.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>

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
  if (!element.pointer) return name;
  return std::string(element.pointeeConst ? "const " : "") + name + "*";
}

Expr typeOf(const Element &element) {
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

namespace {

// A product that the compiler does not join with an addition to one fma.
Expr roundedProduct(Scalar scalar, const Expr &a, const Expr &b) {
  return call(scalar == Scalar::F32   ? "__fmul_rn"
              : scalar == Scalar::F64 ? "__dmul_rn"
                                      : "tile2cu::multiply",
              {a, b});
}

struct Writer {
  const Op *op;
  llvm::ArrayRef<Expr> x;
  bool precise;
  bool host = false;

  Scalar type() const { return op->result()->type.scalar(); }
  Scalar operandType() const { return op->operand(0)->type.scalar(); }

  // An operand as float: 16-bit floats are computed in float.
  Expr wide(unsigned i) const {
    return isHalf(op->operand(i)->type.scalar()) ? call("float", {x[i]}) : x[i];
  }
  // A float result in the result's type.
  Expr narrow(Expr e) const { return isHalf(type()) ? call(cppType(type()), {std::move(e)}) : e; }

  Expr function(llvm::StringRef name, bool hasPrecise = false) const {
    std::string full =
        std::string("tile2cu::") + (precise && hasPrecise ? "precise::" : "") + name.str();
    llvm::SmallVector<Expr, 3> arguments;
    for (unsigned i = 0; i < x.size(); ++i) arguments.push_back(wide(i));
    return narrow(call(full, arguments));
  }

  bool isConstant(unsigned i) const { return passes::constantOf(op->operand(i)).has_value(); }
  // An operand; a constant that may be written as an int although it has another type, with its
  // type. Such are constants of 64 bits, and the names of template arguments.
  Expr wideConstant(unsigned i) const {
    if (host || !isConstant(i)) return x[i];
    const Scalar from = op->operand(i)->type.scalar();
    if (from == Scalar::I64) return call("int64_t", {x[i]});
    const bool isNamed = !x[i].isLiteral() && !x[i].is(ExprKind::Call);
    const bool isUnsigned = from == Scalar::U32 || from == Scalar::U64;
    return isUnsigned && isNamed ? call(cppType(from), {x[i]}) : x[i];
  }

  // An operand whose size in bytes matters: `c ? 1 : x` is an int, whatever narrower type x has.
  Expr ofItsWidth(const Expr &e) const {
    if (op->operand(0)->type.isPointer()) return e;
    const Scalar from = operandType();
    const bool mayBeInt = isInteger(from) && bitWidth(from) < 32;
    return mayBeInt && e.prec() != Prec::Primary ? call(cppType(from), {e}) : typed(from, e);
  }

  // A shift has the type of its left side: 32 is enough for uint64_t(32).
  Expr shiftAmount() const {
    const auto constant = passes::constantOf(op->operand(1));
    const bool isTyped = constant && type() == Scalar::U64 && x[1].isCallOf("uint64_t");
    return isTyped ? literal(Scalar::I32, constant->integer) : x[1];
  }

  // min, max: both sides of one type.
  Expr minMax(llvm::StringRef name, const Expr &a, const Expr &b) const {
    if (op->getBool(Attr::propagate_nan) && isFloat(type())) {
      std::string full = "tile2cu::" + std::string(name == "min" ? "minimum_nan" : "maximum_nan");
      if (isHalf(type())) return narrow(call(full, {call("float", {a}), call("float", {b})}));
      return call(full, {a, b});
    }
    if (type() == Scalar::F32) return call(name == "min" ? "fminf" : "fmaxf", {a, b});
    if (type() == Scalar::F64) return call(name == "min" ? "fmin" : "fmax", {a, b});
    if (isHalf(type()))
      return narrow(
          call(name == "min" ? "fminf" : "fmaxf", {call("float", {a}), call("float", {b})}));
    if (type() == Scalar::Bool)
      return name == "min" ? binary(Prec::And, "&&", a, b) : binary(Prec::Or, "||", a, b);
    if (type() == Scalar::I32) return call(name, {a, b});
    // Of other widths CUDA's min and max are overloaded: the type is said.
    return call(std::string(host ? "std::" : "tile2cu::") +
                    (host            ? name.str()
                     : name == "min" ? "minimum"
                                     : "maximum") +
                    "<" + cppType(type()) + ">",
                {a, b});
  }

  Expr divide() const {
    if (host || type() == Scalar::F64 || !isFloat(type()))
      return binary(Prec::Multiplicative, "/", x[0], x[1]);
    return narrow(call(precise ? "__fdiv_rn" : "tile2cu::fdiv", {wide(0), wide(1)}));
  }

  Expr multiply() const {
    if (precise && !host && isFloat(type())) return roundedProduct(type(), x[0], x[1]);
    return cut(binary(Prec::Multiplicative, "*", x[0], x[1]));
  }

  // Arithmetic on integers narrower than int is int's in C++: the result is cut back.
  Expr cut(Expr e) const {
    bool narrowInt = isInteger(type()) && bitWidth(type()) < 32;
    return narrowInt ? call(cppType(type()), {std::move(e)}) : e;
  }

  bool towardZero() const { return op->get(Attr::rounding) == Rounding::TowardZero; }

  // A double or an integer of 32 or 64 bits, which float may have to round.
  static bool isWiderThanFloat(Scalar from) {
    return from == Scalar::F64 || (isInteger(from) && bitWidth(from) >= 32);
  }

  // As float, toward zero. Values that are rounded toward zero twice are those rounded once, as
  // each 16-bit and 8-bit float is a float too: the largest one that is not farther from zero than
  // x is not farther than the largest such float.
  static Expr toFloatRz(Scalar from, const Expr &e) {
    if (isWiderThanFloat(from)) return call("tile2cu::to_float_rz", {typed(from, e)});
    return from == Scalar::F32 ? e : call("float", {e});
  }

  // A literal with its type, where an overload or a width depends on it: 1 is an int.
  static Expr typed(Scalar type, const Expr &e) {
    const bool isNatural = type == Scalar::I32 || type == Scalar::U32 || isFloat(type);
    return e.isLiteral() && !isNatural ? call(cppType(type), {e}) : e;
  }

  // Of the double and toward zero the type itself has no right conversion. Integers that float
  // rounds are out of range.
  Expr castToFloat8(Scalar from, Scalar to, const Expr &e) const {
    std::string type = cppType(to);
    if (towardZero()) return call("tile2cu::to_float8_rz<" + type + ">", {toFloatRz(from, e)});
    Expr wide = from == Scalar::F32 || from == Scalar::F64 ? e : call("float", {e});
    return call(from == Scalar::F64 ? "tile2cu::to_float8<" + type + ">" : type, {wide});
  }

  // The least of the integers that are cast, if the bits of a 16-bit float can hold them all
  // (convert_ptx.cuh).
  std::optional<int64_t> leastOfSmall(Scalar to) const {
    const Value *source = op->operand(0);
    if (!op->result()->type.isTile() || !isInteger(source->type.scalar())) return std::nullopt;
    const auto range = passes::rangeOf(source, passes::Assume::Launched);
    const int64_t count = to == Scalar::F16 ? 1024 : 128;
    if (!range || range->low < -count || range->low > count || range->high - range->low >= count)
      return std::nullopt;
    return range->low;
  }

  Expr castTo(Scalar from, Scalar to, const Expr &e) const {
    if (from == to) return e;
    if (isFloat8(to)) return castToFloat8(from, to, e);
    if (isFloat8(from)) return castTo(Scalar::F32, to, call("float", {e}));
    if (to == Scalar::Bool)
      return isHalf(from) ? binary(Prec::Equality, "!=", call("float", {e}), digits("0.0f"))
                          : binary(Prec::Equality, "!=", e, literal(from, int64_t{0}));
    if (isHalf(to)) {
      std::string name = to == Scalar::F16 ? "half" : "bfloat16";
      if (auto least = leastOfSmall(to))
        return call("tile2cu::small_to_" + name + "<" + std::to_string(*least) + ">",
                    {bitWidth(from) > 32 ? call("int", {e}) : e});
      if (towardZero()) return call("tile2cu::to_" + name + "_rz", {toFloatRz(from, e)});
      if (from == Scalar::F32) return call(cppType(to), {e});
      // Not by way of float or double, which would round a first time.
      return call("tile2cu::to_" + name,
                  {isWiderThanFloat(from) ? typed(from, e) : call("float", {e})});
    }
    if (towardZero() && to == Scalar::F32 && isWiderThanFloat(from)) return toFloatRz(from, e);
    if (towardZero() && to == Scalar::F64 && isInteger(from) && bitWidth(from) == 64)
      return call("tile2cu::to_double_rz", {typed(from, e)});
    if (isHalf(from))
      return to == Scalar::F32 ? call("float", {e}) : call(cppType(to), {call("float", {e})});
    return call(cppType(to), {e});
  }

  Expr compare() const { return comparison(compareOf(op->kind), x[0], x[1]); }

  Expr mathFunction() const {
    switch (op->kind) {
      case OpKind::Exp:
        return function("exp", true);
      case OpKind::Exp2:
        return function("exp2", true);
      case OpKind::Log:
        return function("log", true);
      case OpKind::Log2:
        return function("log2", true);
      case OpKind::Sqrt:
        return function("sqrt", true);
      case OpKind::SqrtRn:
        if (type() == Scalar::F64) return call("sqrt", {x[0]});
        return narrow(call("__fsqrt_rn", {wide(0)}));
      case OpKind::Rsqrt:
        return function("rsqrt", true);
      case OpKind::Reciprocal:
        if (type() == Scalar::F64 || precise)
          return narrow(binary(Prec::Multiplicative, "/",
                               literal(isHalf(type()) ? Scalar::F32 : type(), 1.0), wide(0)));
        return function("reciprocal");
      case OpKind::Sin:
        return function("sin");
      case OpKind::Cos:
        return function("cos");
      case OpKind::Tan:
        return function("tan");
      case OpKind::Tanh:
        return function("tanh", true);
      case OpKind::FastTanh:
        return precise ? function("tanh", true) : function("fast_tanh");
      case OpKind::Erf:
        return function("erf");
      case OpKind::Floor:
        return function("floor");
      case OpKind::Ceil:
        return function("ceil");
      case OpKind::Rint:
        return function("rint");
      default:
        T2C_UNREACHABLE("no element-wise operation");
    }
  }

  // Whether the terms of the second operand are added one after the other: first_row + i * 8 +
  // lane. They are where these are the parts of a range's element, none of which is negative: each
  // sum then lies between the first operand and the result. C++ adds all of them in 64 bits, as the
  // first operand has them in the text.
  bool isFlat() const {
    if (type() != Scalar::I64 || constantInt(op->operand(0)) || isWidenedInPlace(op, 0))
      return false;
    const Value *second = op->operand(1);
    if (isWidenedInPlace(op, 1)) second = second->definition->operand(0);
    const Op *range = second->definition;
    return range && range->kind == OpKind::Arange && range->getInt(Attr::start) >= 0;
  }

  Expr write() const {
    switch (op->kind) {
      case OpKind::Hint:
        return x[0];
      case OpKind::Add:
        if (x[1].prec() == Prec::Additive && isFlat()) return cut(flatSum(x[0], x[1]));
        return cut(binary(Prec::Additive, "+", x[0], x[1]));
      case OpKind::Sub:
        if (op->getBool(Attr::saturates)) return call("tile2cu::saturating_sub", {x[0], x[1]});
        return cut(binary(Prec::Additive, "-", x[0], x[1]));
      case OpKind::Mul:
        return multiply();
      case OpKind::Div:
        return cut(divide());
      case OpKind::Rem:
        if (!isFloat(type())) return cut(binary(Prec::Multiplicative, "%", x[0], x[1]));
        return type() == Scalar::F64 ? call("fmod", {x[0], x[1]})
                                     : narrow(call("fmodf", {wide(0), wide(1)}));
      case OpKind::DivRn:
        if (type() == Scalar::F64) return binary(Prec::Multiplicative, "/", x[0], x[1]);
        return narrow(call("__fdiv_rn", {wide(0), wide(1)}));
      case OpKind::And:
        if (type() == Scalar::Bool) return binary(Prec::And, "&&", x[0], x[1]);
        return cut(binary(Prec::BitAnd, "&", x[0], x[1]));
      case OpKind::Or:
        if (type() == Scalar::Bool) return binary(Prec::Or, "||", x[0], x[1]);
        return cut(binary(Prec::BitOr, "|", x[0], x[1]));
      case OpKind::Xor:
        if (type() == Scalar::Bool) return binary(Prec::Equality, "!=", x[0], x[1]);
        return cut(binary(Prec::BitXor, "^", x[0], x[1]));
      case OpKind::Shl:
        return cut(binary(Prec::Shift, "<<", wideConstant(0), shiftAmount()));
      case OpKind::Shr:
        return cut(binary(Prec::Shift, ">>", x[0], shiftAmount()));
      case OpKind::Minimum:
        return minMax("min", x[0], x[1]);
      case OpKind::Maximum:
        return minMax("max", x[0], x[1]);
      case OpKind::Clamp:
        return minMax("min", minMax("max", x[0], x[1]), x[2]);
      case OpKind::Pow:
        return function("pow");
      case OpKind::Umulhi:
        return call("tile2cu::umulhi", {x[0], x[1]});
      case OpKind::Lt:
      case OpKind::Le:
      case OpKind::Gt:
      case OpKind::Ge:
      case OpKind::Eq:
      case OpKind::Ne:
        return compare();
      case OpKind::Select:
        // Of two constants one says the type.
        return conditional(x[0], isConstant(2) ? wideConstant(1) : x[1], x[2]);
      case OpKind::Fma:
        return type() == Scalar::F64 ? call("fma", x)
               : isFloat(type())     ? narrow(call("fmaf", {wide(0), wide(1), wide(2)}))
                                     : cut(binary(Prec::Additive, "+",
                                                  binary(Prec::Multiplicative, "*", x[0], x[1]), x[2]));
      case OpKind::Neg:
        return cut(unary("-", x[0]));
      case OpKind::Not:
        return type() == Scalar::Bool ? unary("!", x[0]) : cut(unary("~", x[0]));
      case OpKind::Abs:
        if (type() == Scalar::F32) return call("fabsf", {x[0]});
        return isHalf(type()) ? narrow(call("fabsf", {wide(0)}))
                              : call("tile2cu::absolute", {x[0]});
      case OpKind::Cast:
        return castTo(operandType(), type(), x[0]);
      case OpKind::Bitcast:
        return call("tile2cu::bit_cast<" + cppType(op->result()->type.element()) + ">",
                    {ofItsWidth(x[0])});
      case OpKind::Coordinate:
        return call(op->getBool(Attr::may_be_negative) ? "tile2cu::signed_coordinate"
                                                       : "tile2cu::coordinate",
                    {x[0]});
      case OpKind::UniformThreshold:
        return call("tile2cu::" + op->mnemonic().str(), {x[0]});
      case OpKind::AddPtr:
        return sum(x[0], x[1]);
        // clang-format off
      case OpKind::Exp: case OpKind::Exp2: case OpKind::Log: case OpKind::Log2: case OpKind::Sqrt:
      case OpKind::SqrtRn: case OpKind::Rsqrt: case OpKind::Reciprocal: case OpKind::Sin:
      case OpKind::Cos: case OpKind::Tan: case OpKind::Tanh: case OpKind::FastTanh:
      case OpKind::Erf: case OpKind::Floor: case OpKind::Ceil: case OpKind::Rint:
        // clang-format on
        return mathFunction();
      case OpKind::RandomBits:  // randomWord writes it
#define ELEMENTWISE(...)
#define OP(Name, ...) case OpKind::Name:
#include "passes/ir/ops.def"
        break;
    }
    T2C_UNREACHABLE("no element-wise operation");
  }
};

}  // namespace

bool isWidenedInPlace(const Op *op, unsigned i) {
  const Value *value = op->operand(i);
  const bool isArithmetic = op->kind == OpKind::Add || op->kind == OpKind::Sub ||
                            op->kind == OpKind::Mul || op->is(Comparison);
  const bool isOffset = op->kind == OpKind::AddPtr && i == 1;
  if ((!isArithmetic && !isOffset) || value->type.isPointer() ||
      value->type.scalar() != Scalar::I64)
    return false;
  const auto isWidened = [](const Value *v) {
    const Op *cast = v->definition;
    return cast && cast->kind == OpKind::Cast && (v->name.empty() || v->type.isTile()) &&
           isSigned(cast->operand(0)->type.scalar());
  };
  if (!isWidened(value)) return false;
  if (isOffset) return true;
  const Value *other = op->operand(1 - i);
  return !constantInt(other) && (!isWidened(other) || i == 1);
}

Expr elementwise(const Op *op, llvm::ArrayRef<Expr> operands, bool precise) {
  return Writer{op, operands, precise}.write();
}
Expr hostElementwise(const Op *op, llvm::ArrayRef<Expr> operands) {
  return Writer{op, operands, true, true}.write();
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
      return call(
          std::string(isMax ? "tile2cu::maximum<" : "tile2cu::minimum<") + cppType(scalar) + ">",
          {a, b});
    }
    case ReduceKind::MaxNan:
    case ReduceKind::MinNan:
    case ReduceKind::Argmax:
    case ReduceKind::Argmin:
      return call(combineFunctor(kind, scalar), {a, b});
  }
  llvm_unreachable("every kind is listed");
}

Expr randomWord(const ir::Op *op, const Expr &seed, const Expr &at) {
  const bool isNamed = op->has(Attr::word);
  const Expr function =
      isNamed ? word("tile2cu::philox4x32") : instance("tile2cu::random_bits", {integer(1)});
  return elementOf(call(function, {seed, at}), integer(isNamed ? op->getInt(Attr::word) : 0));
}

}  // namespace tile2cu::emit
