#include "passes/simplify_math.h"

#include <cmath>

#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The scalar that all elements of a tile are; null if they differ. Views of a splat count.
Value *uniformScalar(Value *value) {
  while (value->definition) {
    Op *op = value->definition;
    if (op->kind == OpKind::Splat) return op->operand(0);
    bool view = op->kind == OpKind::Broadcast || op->kind == OpKind::ExpandDims ||
                op->kind == OpKind::Reshape || op->kind == OpKind::Permute;
    if (!view) return nullptr;
    value = op->operand(0);
  }
  return nullptr;
}

void divideByUniform(Op *op) {
  if (!op->result()->type.isTile() || op->result()->type.scalar() != Scalar::F32) return;
  Value *divisor = uniformScalar(op->operand(1));
  if (!divisor) return;
  Builder b = Builder::before(op);
  Value *inverse;
  if (auto constant = constantDouble(divisor)) {
    if (*constant == 0) return;
    inverse = b.constantFloat(Scalar::F32, 1.0f / static_cast<float>(*constant));
  } else {
    inverse = b.unary(OpKind::Reciprocal, divisor);
    inverse->name.clear();
  }
  Value *product = b.binary(OpKind::Mul, op->operand(0),
                            b.splat(inverse, op->result()->type.shape()), op->result()->name);
  op->result()->replaceAllUsesWith(product);
  op->erase();
}

// The 32 random bits whose upper 24 a value maps to [0, 1); null if it is no such value.
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
      if (op->kind == OpKind::Div && !context.preciseMath) return divideByUniform(op);
    });
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
