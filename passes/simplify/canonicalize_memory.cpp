#include "passes/analysis/memory/global_access.h"
#include "passes/simplify/canonicalize_rules.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// The value of masked-off elements.
Value *other(Op &load) {
  if (Value *given = load.operand(2)) return given;
  Builder builder = Builder::before(&load);
  const Type &type = load.result()->type;
  return constantLike(builder, type, Const{type.scalar(), 0, 0});
}

Outcome replace(Op &op, Value *value) {
  op.result()->replaceAllUsesWith(value);
  op.erase();
  return Outcome::Erased;
}

// The smallest of consecutive numbers, which is the first one, through casts that do not change
// them.
std::optional<int64_t> leastOf(const Value *index) {
  const Op *op = index->definition;
  if (!op) return std::nullopt;
  switch (op->kind) {
    case OpKind::Arange:
      return op->getInt(Attr::start);
    case OpKind::Broadcast:
    case OpKind::ExpandDims:
      return leastOf(op->operand(0));
    case OpKind::Cast: {
      const Scalar from = op->operand(0)->type.scalar(), to = index->type.scalar();
      const bool keeps = isInteger(from) && isSigned(to) && bitWidth(to) >= bitWidth(from);
      return keeps && isSigned(from) ? leastOf(op->operand(0)) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// Whether any element of a mask is true, as a scalar; null if there is no simple expression for it.
Value *anyOf(Builder &builder, Value *mask) {
  const Op *op = mask->definition;
  if (!op) return nullptr;
  if (op->kind == OpKind::Splat) return op->operand(0);
  if (op->kind == OpKind::Broadcast || op->kind == OpKind::ExpandDims)
    return anyOf(builder, op->operand(0));
  if (op->kind == OpKind::And) {
    // Only a conjunction of a scalar and a mask. Two masks may both have true elements but none in
    // common.
    for (unsigned i : {0u, 1u}) {
      const Op *scalar = op->operand(i)->definition;
      if (!scalar || scalar->kind != OpKind::Splat) continue;
      Value *rest = anyOf(builder, op->operand(1 - i));
      return rest ? builder.binary(OpKind::And, scalar->operand(0), rest) : nullptr;
    }
    return nullptr;
  }
  const Op *bound = op->kind == OpKind::Lt ? op->operand(1)->definition : nullptr;
  const auto least = bound && bound->kind == OpKind::Splat ? leastOf(op->operand(0)) : std::nullopt;
  if (!least) return nullptr;
  Value *limit = bound->operand(0);
  return builder.binary(OpKind::Lt, builder.constant(limit->type.scalar(), *least), limit,
                        "any_inside");
}

// A tile loaded from a single address is loaded once: load splat(p), mask ==> select mask,
// splat(load p, any(mask)), other.
bool loadOnce(Op &load) {
  const Op *address = load.operand(0)->definition;
  if (load.kind != OpKind::Load || !address || address->kind != OpKind::Splat) return false;
  Builder builder = Builder::before(&load);
  Value *mask = load.operand(1), *any = mask ? anyOf(builder, mask) : nullptr;
  if (mask && !any) return false;
  const Type &type = load.result()->type;
  const std::string &name = load.result()->name;
  Op *once = builder.create(OpKind::Load, {address->operand(0), any, nullptr},
                            {Type(type.scalar())}, mask && !name.empty() ? name + "_value" : name);
  once->attributes = load.attributes;
  Value *value = builder.splat(once->result(), type.shape(), type.layout());
  if (mask) value = builder.select(mask, value, other(load), name);
  load.result()->replaceAllUsesWith(value);
  return true;
}

}  // namespace

Outcome simplifyMemory(Op &op) {
  bool isPromise =
      op.kind == OpKind::Require || op.kind == OpKind::Assume || op.kind == OpKind::DeviceAssert;
  if (isPromise && constantBool(op.operand(0)) == true) {
    op.erase();
    return Outcome::Erased;
  }
  auto index = maskIndex(op.kind);
  if (!index) return Outcome::Same;
  Value *mask = op.operand(*index);
  auto known = mask ? constantBool(mask) : true;
  if (known == false) {
    if (op.kind == OpKind::Load) return replace(op, other(op));
    if (op.numResults() > 0 && !op.result()->unused()) return Outcome::Same;
    op.erase();
    return Outcome::Erased;
  }
  if (mask && known == true) {
    op.setOperand(*index, nullptr);
    return Outcome::Changed;
  }
  if (loadOnce(op)) {
    op.erase();
    return Outcome::Erased;
  }
  // Masked-off elements are zero anyway; without a mask there are none.
  if (op.kind != OpKind::Load || !op.operand(2)) return Outcome::Same;
  if (mask && !isZero(op.operand(2))) return Outcome::Same;
  op.setOperand(2, nullptr);
  return Outcome::Changed;
}

}  // namespace tile2cu::passes
