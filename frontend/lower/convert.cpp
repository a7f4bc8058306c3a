#include "frontend/lower/convert.h"

#include <cmath>

#include "llvm/Support/MathExtras.h"

namespace tile2cu::frontend {

using ir::OpKind;
using ir::Scalar;

// ---- constants

// The value of `number` in an integer type of this width and signedness.
static int64_t wrap(Scalar type, int64_t number) {
  if (type == Scalar::Bool) return number != 0;
  unsigned bits = ir::bitWidth(type);
  if (bits >= 64) return number;
  uint64_t low = static_cast<uint64_t>(number) & ((uint64_t{1} << bits) - 1);
  if (ir::isSigned(type) && (low >> (bits - 1))) low |= ~uint64_t{0} << bits;
  return static_cast<int64_t>(low);
}

std::optional<int64_t> scalarConstant(const ir::Value *value) {
  ir::ConstantOp constant = ir::ConstantOp::of(const_cast<ir::Value *>(value));
  if (!constant || value->type.isPointer() || ir::isFloat(value->type.scalar()))
    return std::nullopt;
  return constant->getInt(ir::Attr::value);
}

ir::Value *nullPointer(Lowering &l, const ir::Type &type) {
  return stretch(l, l.builder.nullPointer(type.elementType()), type.shape());
}

bool holdsPointers(const ir::Type &pointer) {
  return pointer.isPointer() && pointer.element().target != Scalar::None;
}

ir::Value *asPointer(Lowering &l, ir::Value *loaded) {
  if (loaded->type.element().target == Scalar::None) return loaded;
  return l.builder.create(OpKind::AsPointer, {loaded}, {loaded->type.targetPointer()})->result();
}

bool isNullPointer(const ir::Value *value) {
  return value->type.isPointer() && ir::ConstantOp::of(value);
}

static std::optional<int64_t> foldInteger(OpKind kind, Scalar type, int64_t a, int64_t b) {
  bool isUnsigned = !ir::isSigned(type);
  auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (kind) {
    case OpKind::Add:
      return wrap(type, static_cast<int64_t>(ua + ub));
    case OpKind::Sub:
      return wrap(type, static_cast<int64_t>(ua - ub));
    case OpKind::Mul:
      return wrap(type, static_cast<int64_t>(ua * ub));
    case OpKind::Div:
      if (b == 0 || (b == -1 && !isUnsigned)) return std::nullopt;
      return isUnsigned ? static_cast<int64_t>(ua / ub) : a / b;
    case OpKind::Rem:
      if (b == 0 || (b == -1 && !isUnsigned)) return std::nullopt;
      return isUnsigned ? static_cast<int64_t>(ua % ub) : a % b;
    case OpKind::And:
      return a & b;
    case OpKind::Or:
      return a | b;
    case OpKind::Xor:
      return a ^ b;
    case OpKind::Shl:
      if (ub >= ir::bitWidth(type)) return std::nullopt;
      return wrap(type, static_cast<int64_t>(ua << ub));
    case OpKind::Shr:
      if (ub >= ir::bitWidth(type)) return std::nullopt;
      return isUnsigned ? static_cast<int64_t>(ua >> ub) : a >> b;
    case OpKind::Lt:
      return isUnsigned ? ua < ub : a < b;
    case OpKind::Le:
      return isUnsigned ? ua <= ub : a <= b;
    case OpKind::Gt:
      return isUnsigned ? ua > ub : a > b;
    case OpKind::Ge:
      return isUnsigned ? ua >= ub : a >= b;
    case OpKind::Eq:
      return a == b;
    case OpKind::Ne:
      return a != b;
    default:
      return std::nullopt;
  }
}

ir::Value *arithmetic(Lowering &l, OpKind kind, ir::Value *lhs, ir::Value *rhs) {
  auto a = scalarConstant(lhs), b = scalarConstant(rhs);
  if (a && b)
    if (auto folded = foldInteger(kind, lhs->type.scalar(), *a, *b))
      return l.builder.constant(
          ir::isComparison(kind) ? Scalar::Bool : lhs->type.scalar(),
          ir::combined(kind, *ir::constantDim(lhs), *ir::constantDim(rhs), *folded));
  // x + 0 and x * 1 come from unrolled loops and from inlined helpers.
  if (b && !ir::isComparison(kind)) {
    bool zero = *b == 0, one = *b == 1;
    if (zero &&
        (kind == OpKind::Add || kind == OpKind::Sub || kind == OpKind::Shl || kind == OpKind::Shr))
      return lhs;
    if (one && (kind == OpKind::Mul || kind == OpKind::Div)) return lhs;
  }
  if (a && ((*a == 0 && kind == OpKind::Add) || (*a == 1 && kind == OpKind::Mul)) &&
      !ir::isComparison(kind))
    return rhs;
  return l.builder.binary(kind, lhs, rhs);
}

ir::Value *arithmetic(Lowering &l, OpKind kind, ir::Value *source) {
  Scalar type = source->type.scalar();
  if (auto a = scalarConstant(source)) {
    if (kind == OpKind::Neg)
      return l.builder.constant(
          type, ir::Dim(wrap(type, -*a)).orFrom(ir::constantDim(source)->times(-1)));
    if (kind == OpKind::Not)
      return l.builder.constant(type, type == Scalar::Bool ? !*a : wrap(type, ~*a));
  }
  if (kind == OpKind::Neg && ir::ConstantOp::of(source) && !source->type.isPointer() &&
      ir::isFloat(type))
    return l.builder.constantFloat(type, -source->definition->getDouble(ir::Attr::value));
  return l.builder.unary(kind, source);
}

// Only 64 bits can represent the negative of an unsigned offset, or of the lowest integer of a
// narrower type.
static ir::Value *negatedOffset(Lowering &l, ir::Value *offset) {
  const Scalar type = offset->type.scalar();
  const auto number = scalarConstant(offset);
  const bool hasNegative =
      number && ir::isSigned(type) && *number > llvm::minIntN(ir::bitWidth(type));
  if (!hasNegative) offset = convertElement(l, offset, Scalar::I64);
  return arithmetic(l, OpKind::Neg, offset);
}

ir::Value *offsetPointer(Lowering &l, ir::Value *pointer, ir::Value *offset, bool negative) {
  // Clang keeps the type that an offset has in the source; C++ promotes a bool to int.
  if (offset->type.scalar() == Scalar::Bool) offset = convertElement(l, offset, Scalar::I32);
  if (negative) offset = negatedOffset(l, offset);
  return l.builder.addptr(pointer, stretch(l, offset, pointer->type.shape()));
}

// ---- conversions

// Zero, infinities, and numbers with at most eight significant bits in float16's range.
static bool exactInEveryFormat(double number) {
  if (number == 0 || std::isinf(number)) return true;
  int exponent = 0;
  double mantissa = std::frexp(number, &exponent) * 256;
  return mantissa == std::nearbyint(mantissa) && exponent > -13 && exponent <= 15;
}

// Zero, and numbers of three significant bits, which both 8-bit formats represent.
static bool exactInFloat8(double number) {
  if (std::isinf(number)) return false;  // becomes the largest number
  int exponent = 0;
  double mantissa = std::frexp(number, &exponent) * 8;
  return mantissa == std::nearbyint(mantissa) && exponent > -6 && exponent <= 8;
}

// Whether a floating-point type represents an integer: passes fold the others, rounded.
static bool isExact(int64_t number, Scalar to) {
  const int64_t most = to == Scalar::F64 ? int64_t{1} << 53 : int64_t{1} << 24;
  if (to == Scalar::F64 || to == Scalar::F32) return number >= -most && number <= most;
  return exactInEveryFormat(static_cast<double>(number));
}

static ir::Value *foldConversion(Lowering &l, ir::Value *value, Scalar to) {
  ir::ConstantOp constant = ir::ConstantOp::of(value);
  if (!constant || value->type.isTile()) return nullptr;
  Scalar from = value->type.scalar();
  ir::Value *result = nullptr;
  if (ir::isFloat8(to)) {
    auto number = ir::constantDouble(value);
    if (!number || !exactInFloat8(*number)) return nullptr;
    result = l.builder.constantFloat(to, *number);
  } else if (!ir::isFloat(from)) {
    int64_t number = constant->getInt(ir::Attr::value);
    if (!ir::isFloat(to))
      result = l.builder.constant(to, ir::Dim(wrap(to, number)).orFrom(*ir::constantDim(value)));
    else if ((ir::isSigned(from) || number >= 0) && isExact(number, to))
      result = l.builder.constantFloat(to, static_cast<double>(number));
  } else {
    double number = constant->getDouble(ir::Attr::value);
    if (to == Scalar::F64 || (to == Scalar::F32 && from == Scalar::F64))
      result = l.builder.constantFloat(
          to, to == Scalar::F32 ? static_cast<double>(static_cast<float>(number)) : number);
    else if (ir::isFloat(to) && exactInEveryFormat(number))
      result = l.builder.constantFloat(to, number);
    else if (to == Scalar::Bool)
      result = l.builder.constant(to, number != 0);
  }
  if (result && result->name.empty()) result->name = value->name;
  return result;
}

// pointer != nullptr, in each element.
static ir::Value *isNotNull(Lowering &l, ir::Value *pointer) {
  if (isNullPointer(pointer)) return l.builder.constant(Scalar::Bool, 0);
  return l.builder.binary(OpKind::Ne, pointer, nullPointer(l, pointer->type));
}

ir::Value *toBool(Lowering &l, ir::Value *value) {
  if (value->type.isPointer()) return isNotNull(l, value);
  if (value->type.scalar() == Scalar::Bool) return value;
  if (ir::Value *folded = foldConversion(l, value, Scalar::Bool)) return folded;
  return l.builder.cast(value, Scalar::Bool);
}

ir::Value *convertElement(Lowering &l, ir::Value *value, Scalar to) {
  if (value->type.isPointer() || value->type.scalar() == to) return value;
  if (ir::Value *folded = foldConversion(l, value, to)) return folded;
  return l.builder.cast(value, to);
}

ir::Value *stretch(Lowering &l, ir::Value *value, llvm::ArrayRef<ir::Dim> shape) {
  if (llvm::equal(value->type.shape(), shape)) return value;
  if (!value->type.isTile()) return l.builder.splat(value, shape);
  // The splat of a scalar gets any shape directly.
  if (ir::SplatOp splat = ir::SplatOp::of(value)) return l.builder.splat(splat.source(), shape);
  while (value->type.rank() < shape.size()) value = l.builder.expandDims(value, 0);
  return l.builder.broadcast(value, shape);
}

ir::Value *convert(Lowering &l, ir::Value *value, const ir::Type &type) {
  if (type.isPointer() != value->type.isPointer()) {
    T2C_ASSERT(l.diagnostics.hasErrors());
    return l.placeholderValue(type);
  }
  if (type.isPointer()) return stretch(l, value, type.shape());
  return stretch(l, convertElement(l, value, type.scalar()), type.shape());
}

ir::Value *convertExactly(Lowering &l, ir::Value *value, const ir::Type &type) {
  if (isNullPointer(value) && type.isPointer() && value->type != type) return nullPointer(l, type);
  value = convert(l, value, type);
  if (value->type.sameTile(type)) return value;
  return l.builder.create(OpKind::Bitcast, {value}, {type}, value->name)->result();
}

// ---- promotion

static Scalar promoteAlone(Scalar type) {
  return !ir::isFloat(type) && ir::bitWidth(type) < 32 ? Scalar::I32 : type;
}

static Scalar promoted(Scalar a, Scalar b) {
  if (ir::isHalf(a) && ir::isHalf(b)) return a == b ? a : Scalar::F32;
  if (ir::isHalf(a)) return ir::isFloat(b) ? b : a;
  if (ir::isHalf(b)) return promoted(b, a);
  if (ir::isFloat(a) || ir::isFloat(b))
    return a == Scalar::F64 || b == Scalar::F64 ? Scalar::F64 : Scalar::F32;
  a = promoteAlone(a);
  b = promoteAlone(b);
  if (ir::bitWidth(a) != ir::bitWidth(b)) return ir::bitWidth(a) > ir::bitWidth(b) ? a : b;
  return ir::isSigned(a) ? b : a;
}

Scalar meetingType(const ir::Type &a, const ir::Type &b) {
  auto weak = [](const ir::Type &tile, const ir::Type &scalar) {
    return tile.isTile() && !scalar.isTile() && scalar.scalar() == Scalar::F64;
  };
  if (weak(a, b)) return ir::isFloat(a.scalar()) ? a.scalar() : Scalar::F32;
  if (weak(b, a)) return ir::isFloat(b.scalar()) ? b.scalar() : Scalar::F32;
  return promoted(a.scalar(), b.scalar());
}

}  // namespace tile2cu::frontend
