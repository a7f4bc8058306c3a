// Dots whose results are added to an accumulator.
#include "passes/ir/builder.h"
#include "passes/simplify/canonicalize_rules.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Whether a loop around this block carries `accumulator`, or it is the result of a loop; perhaps
// scaled: acc, acc * f[all, none].
bool isCarried(const Value *accumulator, const Block &body, unsigned depth = 4) {
  if (!accumulator->type.isTile() || depth == 0) return false;
  if (accumulator->isArgument())
    return isLoop(accumulator->owner->parent) && isInside(&body, *accumulator->owner);
  const Op *op = accumulator->definition;
  if (isLoop(op)) return true;
  return op->parent == &body && op->is(Elementwise) &&
         llvm::any_of(op->operands(), [&](const Value *operand) {
           return operand && isCarried(operand, body, depth - 1);
         });
}

// A dot that starts from zeros, and whose result is used only by `add`.
Op *freshDot(const Value *value, const Op &add) {
  Op *dot = value->definition;
  return dot && dot->kind == OpKind::Dot && dot->parent == add.parent && value->users.size() == 1 &&
                 isZero(dot->operand(2))
             ? dot
             : nullptr;
}

}  // namespace

// acc + dot(a, b) is dot(a, b, acc): the dot adds to the accumulator in place.
Value *simplifyDots(Op &op) {
  if (op.kind != OpKind::Add || !op.result()->type.isTile()) return nullptr;
  for (unsigned i : {1u, 0u}) {
    Op *dot = freshDot(op.operand(i), op);
    if (!dot || !isCarried(op.operand(1 - i), *op.parent)) continue;
    Builder b = Builder::before(&op);
    if (dot->loc.statement != op.loc.statement) b.loc = dot->loc;
    Op *sum = b.create(OpKind::Dot, {dot->operand(0), dot->operand(1), op.operand(1 - i)},
                       {op.result()->type}, op.result()->name);
    sum->attributes = dot->attributes;
    return sum->result();
  }
  return nullptr;
}

}  // namespace tile2cu::passes
