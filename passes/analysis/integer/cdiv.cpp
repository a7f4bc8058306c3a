#include "passes/analysis/integer/cdiv.h"

#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

const Op *throughCasts(const Value *value) {
  while (value->definition && value->definition->kind == OpKind::Cast)
    value = value->definition->operand(0);
  return value->definition;
}

bool isWidening(const Op *op) {
  if (op->kind != OpKind::Cast) return false;
  const Scalar from = op->operand(0)->type.scalar(), to = op->result()->type.scalar();
  if (!isInteger(to)) return false;
  if (from == Scalar::Bool) return true;
  if (!isInteger(from)) return false;
  return isSigned(from) == isSigned(to) ? bitWidth(from) <= bitWidth(to)
                                        : isSigned(to) && bitWidth(from) < bitWidth(to);
}

// The same through casts that do not change a value.
static const Op *throughWidening(const Value *value) {
  while (value->definition && isWidening(value->definition)) value = value->definition->operand(0);
  return value->definition;
}

bool isCdiv(const Value *value, const Value *&a, const Value *&b) {
  const Op *add = throughWidening(value);
  if (!add || add->kind != OpKind::Add) return false;
  const Op *div = throughWidening(add->operand(0)), *more = throughWidening(add->operand(1));
  if (!div || !more || div->kind != OpKind::Div || more->kind != OpKind::Gt ||
      constantInt(more->operand(1)) != 0)
    return false;
  const Op *rem = throughWidening(more->operand(0));
  if (!rem || rem->kind != OpKind::Rem) return false;
  a = div->operand(0);
  b = div->operand(1);
  auto same = [](const Value *x, const Value *y) {
    return x == y || (constantInt(x) && constantInt(x) == constantInt(y));
  };
  return same(a, rem->operand(0)) && same(b, rem->operand(1));
}

}  // namespace tile2cu::passes
