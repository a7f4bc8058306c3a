#include "passes/alias.h"

#include "passes/cheap.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

std::optional<unsigned> basePointer(const Value *pointer) {
  while (pointer) {
    if (pointer->isArgument()) {
      if (pointer->owner->parent == nullptr && pointer->type.isPointer()) return pointer->index;
      // A pointer carried by a loop moves within what it started from.
      const Op *loop = pointer->owner->parent;
      if (loop && loop->kind == OpKind::For && pointer->index >= 1) {
        pointer = loop->operand(3 + pointer->index - 1);
        continue;
      }
      return std::nullopt;
    }
    const Op *op = pointer->definition;
    switch (op->kind) {
      case OpKind::AddPtr: case OpKind::Splat: case OpKind::Broadcast: case OpKind::ExpandDims: case OpKind::Hint:
      case OpKind::Permute: case OpKind::Reshape:
        pointer = op->operand(0);
        continue;
      case OpKind::For:
        pointer = op->operand(3 + pointer->index);
        continue;
      default: return std::nullopt;
    }
  }
  return std::nullopt;
}

bool sameTree(const Value *a, const Value *b) {
  if (a == b) return true;
  if (!a || !b || !a->definition || !b->definition) return false;
  const Op *x = a->definition, *y = b->definition;
  bool scalarPure = x->is(Pure) && !a->type.isTile() && x->regions.empty();
  if (!isCheap(x) && !scalarPure) return false;
  if (x->kind != y->kind || x->attributes != y->attributes || !(a->type == b->type) ||
      x->numOperands() != y->numOperands() || a->index != b->index)
    return false;
  for (unsigned i = 0; i < x->numOperands(); ++i) {
    if (!x->operand(i) != !y->operand(i)) return false;
    if (x->operand(i) && !sameTree(x->operand(i), y->operand(i))) return false;
  }
  return true;
}

Alias alias(const Kernel &kernel, const Op *a, const Op *b) {
  auto baseA = basePointer(a->operand(0)), baseB = basePointer(b->operand(0));
  if (baseA && baseB && baseA != baseB && (kernel.parameters[*baseA].isRestrict || kernel.parameters[*baseB].isRestrict))
    return Alias::None;
  if (baseA && baseB && baseA == baseB && sameTree(a->operand(0), b->operand(0))) return Alias::SameElement;
  return Alias::May;
}

bool isReadOnly(const Kernel &kernel, const Op *load) {
  auto base = basePointer(load->operand(0));
  return base && kernel.parameters[*base].isRestrict && kernel.parameters[*base].type.element().pointeeConst;
}

}  // namespace tile2cu::passes
