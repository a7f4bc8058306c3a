#include "passes/alias.h"

#include "passes/cheap.h"
#include "passes/ir/builder.h"
#include "passes/loops.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// The search for a base: values carried by a loop are taken to keep the base that they began with while it is checked that
// every iteration hands on such a pointer (and not, say, that of another array, exchanged at the end of each).
struct BaseSearch {
  std::map<const Value *, unsigned> carried = {};

  std::optional<unsigned> ofCarried(Op *loop, unsigned i) {
    const Value *argument = loop->region()->argument(1 + i);
    if (auto it = carried.find(argument); it != carried.end()) return it->second;
    auto base = of(loop->operand(3 + i));
    if (!base) return std::nullopt;
    carried[argument] = *base;
    llvm::SmallVector<Op *, 4> ends(exitsOf(loop, true, true));
    if (Op *end = loop->region()->terminator()) ends.push_back(end);
    for (const Op *end : ends)
      if (of(end->operand(i)) != base) return std::nullopt;
    return base;
  }

  std::optional<unsigned> of(const Value *pointer) {
    while (pointer) {
      if (pointer->isArgument()) {
        Op *loop = pointer->owner->parent;
        if (!loop && pointer->type.isPointer()) return pointer->index;
        if (!loop || loop->kind != OpKind::For || pointer->index == 0) return std::nullopt;
        return ofCarried(loop, pointer->index - 1);
      }
      Op *op = pointer->definition;
      switch (op->kind) {
        case OpKind::AddPtr:
        case OpKind::Splat:
        case OpKind::Broadcast:
        case OpKind::ExpandDims:
        case OpKind::Hint:
        case OpKind::Permute:
        case OpKind::Reshape:
          pointer = op->operand(0);
          continue;
        case OpKind::For:
          return ofCarried(op, pointer->index);
        default:
          return std::nullopt;
      }
    }
    return std::nullopt;
  }
};

}  // namespace

std::optional<unsigned> basePointer(const Value *pointer) { return BaseSearch().of(pointer); }

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
  if (baseA && baseB && baseA != baseB &&
      (kernel.parameters[*baseA].isRestrict || kernel.parameters[*baseB].isRestrict))
    return Alias::None;
  if (baseA && baseB && baseA == baseB && sameTree(a->operand(0), b->operand(0)))
    return Alias::SameElement;
  return Alias::May;
}

bool isReadOnly(const Kernel &kernel, const Op *load) {
  if (load->getBool("read_only")) return true;  // known since its pointer was at hand
  auto base = basePointer(load->operand(0));
  return base && kernel.parameters[*base].isRestrict &&
         kernel.parameters[*base].type.element().pointeeConst;
}

}  // namespace tile2cu::passes
