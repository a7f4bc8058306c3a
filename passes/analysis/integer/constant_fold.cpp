#include "passes/analysis/integer/constant_fold.h"

#include <bit>
#include <cmath>
#include <limits>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// ---- integers

unsigned valueBits(Scalar type) { return type == Scalar::Bool ? 1 : bitWidth(type); }

llvm::APSInt toInt(Scalar type, int64_t value) {
  return llvm::APSInt(llvm::APInt(64, value).trunc(valueBits(type)), !isSigned(type));
}
int64_t fromBits(const llvm::APInt &value, Scalar type) {
  return isSigned(type) || value.getBitWidth() == 64 ? value.getSExtValue()
                                                     : static_cast<int64_t>(value.getZExtValue());
}

std::optional<int64_t> shift(OpKind kind, Scalar type, int64_t value, int64_t amount) {
  if (amount < 0 || amount >= valueBits(type)) return std::nullopt;
  llvm::APSInt bits = toInt(type, value);
  return fromBits(kind == OpKind::Shl ? bits << amount : bits >> amount, type);
}

std::optional<int64_t> divide(OpKind kind, Scalar type, const llvm::APSInt &lhs,
                              const llvm::APSInt &rhs) {
  if (rhs.isZero()) return std::nullopt;
  if (isSigned(type) && lhs.isMinSignedValue() && rhs.isAllOnes()) return std::nullopt;
  return fromBits(kind == OpKind::Div ? lhs / rhs : lhs % rhs, type);
}

}  // namespace

bool holds(Compare compare, Scalar type, int64_t lhs, int64_t rhs) {
  return holds(compare, toInt(type, lhs), toInt(type, rhs));
}

std::optional<int64_t> foldInteger(OpKind kind, Scalar type, int64_t left, int64_t right) {
  if (kind == OpKind::Shl || kind == OpKind::Shr) return shift(kind, type, left, right);
  if (isComparison(kind)) return holds(compareOf(kind), type, left, right);
  llvm::APSInt lhs = toInt(type, left), rhs = toInt(type, right);
  bool isWide = isSigned(type), overflow = false;
  switch (kind) {
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul: {
      llvm::APInt result = kind == OpKind::Add   ? lhs.sadd_ov(rhs, overflow)
                           : kind == OpKind::Sub ? lhs.ssub_ov(rhs, overflow)
                                                 : lhs.smul_ov(rhs, overflow);
      if (isWide && overflow) return std::nullopt;
      return fromBits(result, type);
    }
    case OpKind::Div:
    case OpKind::Rem:
      return divide(kind, type, lhs, rhs);
    case OpKind::And:
      return fromBits(lhs & rhs, type);
    case OpKind::Or:
      return fromBits(lhs | rhs, type);
    case OpKind::Xor:
      return fromBits(lhs ^ rhs, type);
    case OpKind::Minimum:
      return lhs < rhs ? left : right;
    case OpKind::Maximum:
      return lhs < rhs ? right : left;
    case OpKind::Mulhi: {
      unsigned bits = valueBits(type);
      llvm::APInt product = isWide ? lhs.sext(2 * bits) * rhs.sext(2 * bits)
                                   : lhs.zext(2 * bits) * rhs.zext(2 * bits);
      return fromBits(product.extractBits(bits, bits), type);
    }
    default:
      return std::nullopt;
  }
}

namespace {

// ---- floats

const llvm::fltSemantics &semantics(Scalar type) {
  switch (type) {
    case Scalar::F16:
      return llvm::APFloat::IEEEhalf();
    case Scalar::BF16:
      return llvm::APFloat::BFloat();
    case Scalar::F32:
      return llvm::APFloat::IEEEsingle();
    case Scalar::F64:
      return llvm::APFloat::IEEEdouble();
    case Scalar::F8E4M3:
      return llvm::APFloat::Float8E4M3FN();
    case Scalar::F8E5M2:
      return llvm::APFloat::Float8E5M2();
    default:
      T2C_UNREACHABLE("no float, or a new one");
  }
}

constexpr auto kNearest = llvm::APFloat::rmNearestTiesToEven;

llvm::APFloat toFloat(Scalar type, double value, llvm::APFloat::roundingMode mode = kNearest) {
  if (isFloat8(type) && !std::isnan(value)) {  // saturates
    double most = llvm::APFloat::getLargest(semantics(type)).convertToDouble();
    value = std::min(std::max(value, -most), most);
  }
  llvm::APFloat result(value);
  bool inexact = false;
  result.convert(semantics(type), mode, &inexact);
  return result;
}

llvm::APFloat::roundingMode modeOf(const Op &op) {
  switch (op.get(Attr::rounding).value_or(Rounding::Nearest)) {
    case Rounding::Nearest:
      return kNearest;
    case Rounding::TowardZero:
      return llvm::APFloat::rmTowardZero;
    case Rounding::Up:
      return llvm::APFloat::rmTowardPositive;
    case Rounding::Down:
      return llvm::APFloat::rmTowardNegative;
  }
  T2C_UNREACHABLE("rounding");
}

std::optional<Const> fromFloat(Scalar type, llvm::APFloat value) {
  if (value.isNaN()) return std::nullopt;
  bool inexact = false;
  value.convert(llvm::APFloat::IEEEdouble(), kNearest, &inexact);
  return Const::ofReal(type, value.convertToDouble());
}

std::optional<Const> roundTo(Scalar type, double value) {
  return fromFloat(type, toFloat(type, value));
}

bool less(double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

std::optional<Const> foldReal(const Op &op, Scalar type, double left, double right) {
  if (op.is(Comparison)) return Const::ofBool(holds(compareOf(op.kind), left, right));
  llvm::APFloat lhs = toFloat(type, left), rhs = toFloat(type, right);
  switch (op.kind) {
    case OpKind::Add:
      lhs.add(rhs, kNearest);
      return fromFloat(type, lhs);
    case OpKind::AddRounded:
      lhs.add(rhs, modeOf(op));
      return fromFloat(type, lhs);
    case OpKind::MulRounded:
      lhs.multiply(rhs, modeOf(op));
      return fromFloat(type, lhs);
    case OpKind::Sub:
      lhs.subtract(rhs, kNearest);
      return fromFloat(type, lhs);
    case OpKind::Mul:
      lhs.multiply(rhs, kNearest);
      return fromFloat(type, lhs);
    case OpKind::Div:
    case OpKind::DivRn:
      lhs.divide(rhs, kNearest);
      return fromFloat(type, lhs);
    case OpKind::Rem:
      lhs.mod(rhs);
      return fromFloat(type, lhs);
    case OpKind::Minimum:
      return Const::ofReal(type, less(right, left) ? right : left);
    case OpKind::Maximum:
      return Const::ofReal(type, less(left, right) ? right : left);
    case OpKind::Pow:
      return roundTo(type, std::pow(left, right));
    case OpKind::Hypot:
      return roundTo(type, std::hypot(left, right));
    case OpKind::Atan2:
      return roundTo(type, std::atan2(left, right));
    case OpKind::Copysign:
      return roundTo(type, std::copysign(left, right));
    case OpKind::Remainder:
      return roundTo(type, std::remainder(left, right));
    default:
      return std::nullopt;
  }
}

std::optional<double> realFunction(OpKind kind, double x) {
  switch (kind) {
    case OpKind::Neg:
      return -x;
    case OpKind::Abs:
      return std::fabs(x);
    case OpKind::Exp:
      return std::exp(x);
    case OpKind::Exp2:
      return std::exp2(x);
    case OpKind::Log:
      return std::log(x);
    case OpKind::Log2:
      return std::log2(x);
    case OpKind::Sqrt:
    case OpKind::SqrtRn:
      return std::sqrt(x);
    case OpKind::Rsqrt:
      return 1 / std::sqrt(x);
    case OpKind::Reciprocal:
      return 1 / x;
    case OpKind::Sin:
      return std::sin(x);
    case OpKind::Cos:
      return std::cos(x);
    case OpKind::Tan:
      return std::tan(x);
    case OpKind::Tanh:
    case OpKind::FastTanh:
      return std::tanh(x);
    case OpKind::Erf:
      return std::erf(x);
    case OpKind::Floor:
      return std::floor(x);
    case OpKind::Ceil:
      return std::ceil(x);
    case OpKind::Rint:
      return std::nearbyint(x);
    case OpKind::Trunc:
      return std::trunc(x);
    case OpKind::Round:
      return std::round(x);
    case OpKind::Asin:
      return std::asin(x);
    case OpKind::Acos:
      return std::acos(x);
    case OpKind::Atan:
      return std::atan(x);
    case OpKind::Sinh:
      return std::sinh(x);
    case OpKind::Cosh:
      return std::cosh(x);
    case OpKind::Asinh:
      return std::asinh(x);
    case OpKind::Acosh:
      return std::acosh(x);
    case OpKind::Atanh:
      return std::atanh(x);
    case OpKind::Expm1:
      return std::expm1(x);
    case OpKind::Log10:
      return std::log10(x);
    case OpKind::Log1p:
      return std::log1p(x);
    case OpKind::Cbrt:
      return std::cbrt(x);
    case OpKind::Erfc:
      return std::erfc(x);
    default:
      return std::nullopt;
  }
}

// ---- conversions

std::optional<Const> convert(const Const &from, Scalar to, llvm::APFloat::roundingMode mode) {
  if (to == Scalar::Bool) return Const::ofBool(from.isReal() ? from.real != 0 : from.integer != 0);
  if (isFloat(to)) {
    if (from.isReal()) return fromFloat(to, toFloat(to, from.real, mode));
    llvm::APSInt value = toInt(from.type, from.integer);
    if (isFloat8(to))  // a rounded double would be out of range
      return fromFloat(to, toFloat(to,
                                   value.isSigned() ? double(value.getSExtValue())
                                                    : double(value.getZExtValue()),
                                   mode));
    llvm::APFloat result(semantics(to));
    result.convertFromAPInt(value, value.isSigned(), mode);
    return fromFloat(to, result);
  }
  if (!from.isReal()) {
    llvm::APSInt value = toInt(from.type, from.integer);
    return Const::ofInt(to, fromBits(value.extOrTrunc(valueBits(to)), to));
  }
  llvm::APSInt value(valueBits(to), !isSigned(to));
  bool exact = false;
  auto status =
      llvm::APFloat(from.real).convertToInteger(value, llvm::APFloat::rmTowardZero, &exact);
  if (status & llvm::APFloat::opInvalidOp) return std::nullopt;  // out of range: undefined
  return Const::ofInt(to, fromBits(value, to));
}

std::optional<Const> reinterpret(const Const &from, Scalar to) {
  llvm::APInt bits = from.isReal() ? toFloat(from.type, from.real).bitcastToAPInt()
                                   : llvm::APInt(64, from.integer).trunc(bitWidth(from.type));
  if (bits.getBitWidth() != bitWidth(to) || to == Scalar::Bool) return std::nullopt;
  if (isFloat(to)) {
    llvm::APFloat value(semantics(to), bits);
    if (isFloat8(to) && !value.isFinite()) return std::nullopt;  // no conversion returns it
    return fromFloat(to, value);
  }
  return Const::ofInt(to, fromBits(bits, to));
}

std::optional<Const> foldUnary(const Op &op, Scalar type, const Const &x) {
  if (op.kind == OpKind::Cast) return convert(x, type, modeOf(op));
  if (op.kind == OpKind::Bitcast) return reinterpret(x, type);
  if (op.kind == OpKind::Hint) return x;
  if (x.isReal()) {
    auto value = realFunction(op.kind, x.real);
    return value ? roundTo(type, *value) : std::nullopt;
  }
  auto integer = [&](std::optional<int64_t> value) -> std::optional<Const> {
    if (!value) return std::nullopt;
    return Const::ofInt(type, *value);
  };
  switch (op.kind) {
    case OpKind::Neg:
      return integer(foldInteger(OpKind::Sub, type, 0, x.integer));
    case OpKind::Not:
      if (type == Scalar::Bool) return Const::ofBool(!x.integer);
      return integer(foldInteger(OpKind::Xor, type, x.integer, -1));
    case OpKind::Abs:
      if (!isSigned(type) || x.integer >= 0) return x;
      return integer(foldInteger(OpKind::Sub, type, 0, x.integer));
    default:
      return std::nullopt;
  }
}

std::optional<Const> foldBinary(const Op &op, OpKind kind, Scalar type, const Const &lhs,
                                const Const &rhs) {
  if (lhs.isReal()) {
    if (kind == op.kind) return foldReal(op, lhs.type, lhs.real, rhs.real);
    bool takeRight = kind == OpKind::Maximum ? less(lhs.real, rhs.real) : less(rhs.real, lhs.real);
    return takeRight ? rhs : lhs;
  }
  auto value = foldInteger(kind, lhs.type, lhs.integer, rhs.integer);
  if (!value) return std::nullopt;
  return Const::ofInt(type, *value);
}

std::optional<Const> foldTernary(const Op &op, Scalar type, const Const &a, const Const &b,
                                 const Const &c) {
  switch (op.kind) {
    case OpKind::Select:
      return a.integer ? b : c;
    case OpKind::Clamp: {
      auto low = foldBinary(op, OpKind::Maximum, type, a, b);
      return low ? foldBinary(op, OpKind::Minimum, type, *low, c) : std::nullopt;
    }
    case OpKind::Fma:
    case OpKind::FmaRounded: {
      if (!a.isReal()) return std::nullopt;
      // For 16-bit floats, the operation is done in float and the result is rounded again.
      const Scalar computed = isHalf(type) ? Scalar::F32 : type;
      llvm::APFloat result = toFloat(computed, a.real);
      result.fusedMultiplyAdd(toFloat(computed, b.real), toFloat(computed, c.real), modeOf(op));
      auto rounded = fromFloat(computed, result);
      return rounded ? roundTo(type, rounded->real) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

bool Const::same(const Const &other) const {
  return type == other.type && integer == other.integer &&
         std::bit_cast<uint64_t>(real) == std::bit_cast<uint64_t>(other.real);
}

std::optional<Const> constantOf(const Value *value) {
  const Op *op = value ? value->definition : nullptr;
  while (op) {
    if (op->kind == OpKind::Constant) {
      if (op->result()->type.isPointer()) return std::nullopt;
      const Scalar type = op->result()->type.scalar();
      return isFloat(type) ? Const::ofReal(type, op->getDouble(Attr::value))
                           : Const::ofInt(type, op->getInt(Attr::value));
    }
    const bool keeps = op->is(View) || op->kind == OpKind::Splat || op->kind == OpKind::Convert;
    if (!keeps) return std::nullopt;
    op = op->operand(0)->definition;
  }
  return std::nullopt;
}

bool isZero(const Value *value) {
  auto number = constantOf(value);
  return number && number->same({number->type, 0, 0});
}

bool dividesIntegers(const Op &op) {
  return (op.kind == OpKind::Div || op.kind == OpKind::Rem) &&
         isInteger(op.result()->type.scalar());
}

Value *makeConstant(Builder &builder, const Const &constant) {
  return constant.isReal() ? builder.constantFloat(constant.type, constant.real)
                           : builder.constant(constant.type, constant.integer);
}

std::optional<Const> fold(const Op &op, llvm::ArrayRef<Const> operands) {
  if (!op.is(Elementwise) || op.numResults() != 1 || op.result()->type.isPointer())
    return std::nullopt;
  // A NaN operand: which bits the result has depends on the device.
  for (const Const &operand : operands)
    if (operand.isReal() && std::isnan(operand.real)) return std::nullopt;
  Scalar type = op.result()->type.scalar();
  switch (operands.size()) {
    case 1:
      return foldUnary(op, type, operands[0]);
    case 2:
      return foldBinary(op, op.kind, type, operands[0], operands[1]);
    case 3:
      return foldTernary(op, type, operands[0], operands[1], operands[2]);
    default:
      return std::nullopt;
  }
}

}  // namespace tile2cu::passes
