#include "passes/simplify/simplify_math.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The scalar that all elements of a tile are equal to; null if they differ. Views of a splat count.
Value *uniformScalar(Value *value) {
  while (value->definition) {
    Op *op = value->definition;
    if (op->kind == OpKind::Splat) return op->operand(0);
    if (!op->isShapeView()) return nullptr;
    value = op->operand(0);
  }
  return nullptr;
}

bool divideByUniform(Op *op) {
  Value *divisor = uniformScalar(op->operand(1));
  if (!divisor) return false;
  Builder b = Builder::before(op);
  Value *inverse;
  if (auto constant = constantDouble(divisor)) {
    if (*constant == 0) return false;
    inverse = b.constantFloat(Scalar::F32, 1.0f / static_cast<float>(*constant));
  } else {
    inverse = b.unary(OpKind::Reciprocal, divisor);
    inverse->name.clear();
  }
  Value *product = b.binary(OpKind::Mul, op->operand(0),
                            b.splat(inverse, op->result()->type.shape()), op->result()->name);
  op->result()->replaceAllUsesWith(product);
  op->erase();
  return true;
}

// 1 if all elements of a float value are known to be 1 or more, 0 if they are known not to be
// negative; NaN may be among them. Rounding does not go below these limits either. `magnitudes`:
// abs and maximum count too.
std::optional<int> leastOf(const Value *value, bool magnitudes, int depth = 8) {
  if (auto constant = constantDouble(value))
    return *constant >= 1 ? 1 : *constant >= 0 ? std::optional(0) : std::nullopt;
  const Op *op = value->definition;
  if (!op || depth == 0) return std::nullopt;
  auto of = [&](unsigned i) { return leastOf(op->operand(i), magnitudes, depth - 1); };
  switch (op->kind) {
    case OpKind::Exp:
    case OpKind::Exp2:
      return 0;
    case OpKind::Abs:
      return magnitudes ? std::optional(0) : std::nullopt;
    case OpKind::Add: {
      auto lhs = of(0), rhs = of(1);
      return lhs && rhs ? std::max(lhs, rhs) : std::nullopt;
    }
    case OpKind::Mul:
      return op->operand(0) == op->operand(1) ? std::optional(0) : std::min(of(0), of(1));
    case OpKind::Maximum: {
      // The maximum of a number and NaN is the number, unless `propagate_nan` is set.
      auto lhs = of(0), rhs = of(1), least = std::min(lhs, rhs);
      bool nanStays = op->getBool(Attr::propagate_nan);
      if (magnitudes && (nanStays || constantDouble(op->operand(0)))) least = std::max(least, lhs);
      if (magnitudes && (nanStays || constantDouble(op->operand(1)))) least = std::max(least, rhs);
      return least;
    }
    case OpKind::Select:
      return std::min(of(1), of(2));
    case OpKind::Cast:
      return isFloat(op->operand(0)->type.scalar()) ? of(0) : std::nullopt;
    default:
      return op->kind == OpKind::Splat || op->isShapeView() ? of(0) : std::nullopt;
  }
}

// The reciprocal of a value above 2^126 is 0. Exponentials and squares overflow soon after that,
// and the quotient is 0 then anyway; but x / (1 + abs(x)) is 1 there, so such divisors are left
// alone unless the quotient is as small as the reciprocal.
void divideByOneOrMore(Op *op) {
  Value *dividend = op->operand(0), *divisor = op->operand(1);
  auto constant = constantDouble(dividend);
  if (leastOf(divisor, constant && std::fabs(*constant) <= 1) != 1) return;
  Builder b = Builder::before(op);
  const std::string &name = op->result()->name;
  Value *quotient =
      constant == 1.0 ? b.unary(OpKind::Reciprocal, divisor, name)
                      : b.binary(OpKind::Mul, dividend, b.unary(OpKind::Reciprocal, divisor), name);
  op->result()->replaceAllUsesWith(quotient);
  op->erase();
}

void divide(Op *op) {
  if (!op->result()->type.isTile() || op->result()->type.scalar() != Scalar::F32) return;
  if (!divideByUniform(op)) divideByOneOrMore(op);
}

// The 32 random bits whose upper 24 a value maps to [0, 1); null if it is not such a value.
Value *uniformBits(Value *value) {
  Op *mul = value->definition;
  if (!mul || mul->kind != OpKind::Mul) return nullptr;
  for (unsigned i : {0u, 1u}) {
    auto scale = constantDouble(mul->operand(1 - i));
    if (!scale || *scale != std::ldexp(1.0, -24)) continue;
    Op *cast = mul->operand(i)->definition;
    if (!cast || cast->kind != OpKind::Cast || cast->result()->type.scalar() != Scalar::F32)
      continue;
    Op *shift = cast->operand(0)->definition;
    if (!shift || shift->kind != OpKind::Shr || shift->operand(0)->type.scalar() != Scalar::U32)
      continue;
    if (constantInt(shift->operand(1)) == 8) return shift->operand(0);
  }
  return nullptr;
}

void compareRandom(Op *op) {
  if (!op->result()->type.isTile()) return;
  Value *lhs = op->operand(0), *rhs = op->operand(1);
  if (op->kind == OpKind::Lt) std::swap(lhs, rhs);
  Value *bits = uniformBits(lhs), *bound = uniformScalar(rhs);
  if (!bits || !bound || bound->type.scalar() != Scalar::F32) return;
  Builder b = Builder::before(op);
  Value *threshold = b.create(OpKind::UniformThreshold, {bound}, {Type(Scalar::U32)})->result();
  Value *mask =
      b.binary(OpKind::Gt, bits, b.splat(threshold, bits->type.shape()), op->result()->name);
  op->result()->replaceAllUsesWith(mask);
  op->erase();
}

void splitOther(Op *op) {
  Value *other = op->operand(2);
  if (!op->operand(1) || !other || !other->type.isTile()) return;
  if (Value *scalar = uniformScalar(other)) {
    if (other->definition->kind == OpKind::Splat) return;
    Builder b = Builder::before(op);
    op->setOperand(2, b.splat(scalar, other->type.shape()));
    return;
  }
  op->eraseOperand(2);
  Builder b = Builder::after(op);
  Op *select = b.create(OpKind::Select, {}, {op->result()->type}, op->result()->name);
  op->result()->replaceAllUsesWith(select->result());
  select->setOperands({op->operand(1), op->result(), other});
}

}  // namespace

llvm::LogicalResult simplify_math(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Load && op->operand(0)->type.isTile()) return splitOther(op);
      if (op->kind == OpKind::Gt || op->kind == OpKind::Lt) return compareRandom(op);
      if (op->kind == OpKind::Div && !context.preciseMath) return divide(op);
    });
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
