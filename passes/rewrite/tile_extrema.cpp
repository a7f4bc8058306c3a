#include "passes/rewrite/tile_extrema.h"

#include "passes/target/tunables.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

struct Bound {
  MakeScalar make;
  uint64_t axes = 0;  // along which elements differ, one bit each
  // Whether some element has this value, independently of the bounds of tiles along other axes.
  bool isAnElement = true;
};
using MaybeBound = std::optional<Bound>;

MaybeBound bound(Value *value, bool upper, int &left);

// The bound of a binary operation, from the bounds of its operands.
MaybeBound joined(const Op *op, bool upperLhs, bool upperRhs, int &left) {
  const MaybeBound lhs = bound(op->operand(0), upperLhs, left),
                   rhs = bound(op->operand(1), upperRhs, left);
  if (!lhs || !rhs) return std::nullopt;
  const bool areElements = lhs->isAnElement && rhs->isAnElement && !(lhs->axes & rhs->axes);
  const OpKind kind = op->kind;
  const bool chooses = kind == OpKind::Minimum || kind == OpKind::Maximum;
  if (!chooses && !areElements) return std::nullopt;
  return Bound{[=](Builder &b) {
                 Value *x = lhs->make(b), *y = rhs->make(b);
                 const bool isSum = kind == OpKind::Add || kind == OpKind::Sub;
                 return isSum && constantInt(y) == 0 ? x : b.binary(kind, x, y);
               },
               lhs->axes | rhs->axes, areElements};
}

// c x: multiplies by a constant, which reverses the order if it is negative.
MaybeBound scaled(const Op *op, bool upper, int &left) {
  for (unsigned i : {0u, 1u}) {
    const auto factor = constantDim(op->operand(i));
    if (!factor) continue;
    const MaybeBound other = bound(op->operand(1 - i), upper == (*factor >= 0), left);
    if (!other || !other->isAnElement) return std::nullopt;
    return Bound{[=](Builder &b) {
                   Value *x = other->make(b);
                   return b.binary(OpKind::Mul, x, b.constant(x->type.scalar(), *factor));
                 },
                 other->axes, true};
  }
  return std::nullopt;
}

// x / c: division by a positive constant keeps the order.
MaybeBound divided(const Op *op, bool upper, int &left) {
  const auto by = constantDim(op->operand(1));
  if (!by || *by <= 0) return std::nullopt;
  MaybeBound x = bound(op->operand(0), upper, left);
  if (!x) return std::nullopt;
  return Bound{[make = x->make, by = *by](Builder &b) {
                 Value *dividend = make(b);
                 return b.binary(OpKind::Div, dividend, b.constant(dividend->type.scalar(), by));
               },
               x->axes, x->isAnElement};
}

MaybeBound negated(const Op *op, bool upper, int &left) {
  const MaybeBound x = bound(op->operand(0), !upper, left);
  if (!x || !x->isAnElement) return std::nullopt;
  return Bound{[make = x->make](Builder &b) { return b.unary(OpKind::Neg, make(b)); }, x->axes,
               true};
}

// The bound of a select between two tiles by a uniform condition.
MaybeBound chosen(const Op *op, bool upper, int &left) {
  const Op *condition = op->operand(0)->definition;
  if (!condition || condition->kind != OpKind::Splat) return std::nullopt;
  const MaybeBound yes = bound(op->operand(1), upper, left),
                   no = bound(op->operand(2), upper, left);
  if (!yes || !no) return std::nullopt;
  return Bound{[=, asked = condition->operand(0)](Builder &b) {
                 return b.select(asked, yes->make(b), no->make(b));
               },
               yes->axes | no->axes, yes->isAnElement && no->isAnElement};
}

// A cast to a type that represents all values.
MaybeBound converted(const Op *op, bool upper, int &left) {
  const Scalar from = op->operand(0)->type.scalar(), to = op->result()->type.scalar();
  const bool widens =
      isInteger(from) && bitWidth(from) < bitWidth(to) && (isSigned(to) || !isSigned(from));
  if (!widens) return std::nullopt;
  MaybeBound x = bound(op->operand(0), upper, left);
  if (!x) return std::nullopt;
  return Bound{[make = x->make, to](Builder &b) { return b.cast(make(b), to); }, x->axes,
               x->isAnElement};
}

MaybeBound bound(Value *value, bool upper, int &left) {
  if (--left < 0) return std::nullopt;
  const Type &type = value->type;
  if (!isInteger(type.scalar()) || type.isPointer()) return std::nullopt;
  if (!type.isTile()) return Bound{[value](Builder &) { return value; }};
  const Op *op = value->definition;
  if (!op) return std::nullopt;
  switch (op->kind) {
    case OpKind::Splat:
      return bound(op->operand(0), upper, left);
    case OpKind::Arange: {
      const int64_t start = op->getInt(Attr::start);
      const Dim element = upper ? type.shape()[0].plus(start - 1) : Dim(start);
      const bool isOne = type.shape()[0] == 1;
      return Bound{[=, scalar = type.scalar()](Builder &b) { return b.constant(scalar, element); },
                   isOne ? 0u : 1u};
    }
    case OpKind::ExpandDims: {
      MaybeBound source = bound(op->operand(0), upper, left);
      if (!source) return std::nullopt;
      const uint64_t below = (uint64_t{1} << op->getInt(Attr::axis)) - 1;
      source->axes = (source->axes & below) | (source->axes & ~below) << 1;
      return source;
    }
    case OpKind::Broadcast:
    case OpKind::Hint:
      return bound(op->operand(0), upper, left);
    case OpKind::Cast:
      return converted(op, upper, left);
    case OpKind::Select:
      return chosen(op, upper, left);
    case OpKind::Minimum:
    case OpKind::Maximum:
      return joined(op, upper, upper, left);
    default:
      break;
  }
  // Unsigned numbers may wrap around.
  if (!isSigned(type.scalar())) return std::nullopt;
  switch (op->kind) {
    case OpKind::Add:
      return joined(op, upper, upper, left);
    case OpKind::Sub:
      return joined(op, upper, !upper, left);
    case OpKind::Mul:
      return scaled(op, upper, left);
    case OpKind::Div:
      return divided(op, upper, left);
    case OpKind::Neg:
      return negated(op, upper, left);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<MakeScalar> boundOf(Value *tile, bool upper) {
  // The bound is recomputed wherever it is used, so it must be short.
  int left = tunables().extrema_operations;
  const MaybeBound found = bound(tile, upper, left);
  if (!found) return std::nullopt;
  return found->make;
}

}  // namespace tile2cu::passes
