#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"

namespace tile2cu::frontend {
namespace {

struct Arm {
  Flow flow = Flow::Falls;
  Environment::Slots slots;
};

Arm lowerArm(Lowering &l, ir::Block &region, const Environment::Slots &entry, Body body) {
  l.env.truncate(entry.size());
  l.env.restore(entry);
  l.builder.setInsertionPoint(region);
  Arm arm;
  arm.flow = body();
  arm.slots = l.env.save();
  return arm;
}

std::vector<std::pair<unsigned, Val *>> leavesOf(Environment::Slots &slots, unsigned count) {
  std::vector<std::pair<unsigned, Val *>> leaves;
  forEachLeaf(slots, count, [&](unsigned slot, Val &leaf) { leaves.emplace_back(slot, &leaf); });
  return leaves;
}

// Moves the operations of a region to the builder's insertion point, after the region's operation.
void spliceAfter(ir::Op *op, ir::Block &region) {
  ir::Op *last = op;
  while (ir::Op *first = region.front()) {
    first->moveAfter(last);
    last = first;
  }
}

// The common type of a pointer to const and a pointer to non-const.
ir::Type meetingPointer(const ir::Type &a, const ir::Type &b) {
  return b.isPointer() && b.element().pointeeConst ? b : a;
}

ir::Value *inRegion(Lowering &l, ir::Block &region, ir::Value *value, const ir::Type &type) {
  if (value->type.sameTile(type)) return value;
  ir::Builder saved = l.builder;
  l.builder.setInsertionPoint(region);
  value = convertExactly(l, value, type);
  l.builder = saved;
  return value;
}

// References and functions cannot be chosen at run time.
Val mergeKnownAhead(Lowering &l, const Val &x, const Val &y) {
  const bool isSame = x.kind == y.kind && x.function == y.function && x.place.isSame(y.place);
  if (!isSame)
    l.reject({}, "a choice between functions or references",
             "call the function, or use the variable, in both branches of an if");
  return x;
}

// Variables that have different values at the end of the arms become results.
Environment::Slots merge(Lowering &l, ir::Op *op, Arm &onTrue, Arm &onFalse, unsigned count) {
  Environment::Slots merged(onTrue.slots.begin(), onTrue.slots.begin() + count);
  auto a = leavesOf(onTrue.slots, count), b = leavesOf(onFalse.slots, count),
       m = leavesOf(merged, count);
  T2C_ASSERT(a.size() == b.size());
  std::vector<ir::Value *> yieldTrue, yieldFalse;
  for (size_t i = 0; i < a.size(); ++i) {
    Val &x = *a[i].second, &y = *b[i].second;
    if (x.isUndefined() || y.isUndefined()) {
      *m[i].second = Val::undefined();
      continue;
    }
    if (!x.isValue() || !y.isValue()) {
      *m[i].second = mergeKnownAhead(l, x, y);
      continue;
    }
    if (x.value == y.value) continue;
    ir::Type type = meetingPointer(x.value->type, y.value->type);
    yieldTrue.push_back(inRegion(l, *op->region(0), x.value, type));
    yieldFalse.push_back(inRegion(l, *op->region(1), y.value, type));
    unsigned slot = a[i].first;
    bool whole = l.env.isWhole(slot) && !l.env.name(slot).empty();
    ir::Value *result = op->addResult(type, whole ? l.env.name(slot) : x.value->name);
    *m[i].second = result;
    if (whole) l.giveName(*m[i].second, l.env.name(slot));
  }
  ir::Builder inside(*op->region(0));
  inside.loc = op->loc;
  if (!op->region(0)->empty() || !yieldTrue.empty()) inside.yield(yieldTrue);
  inside.setInsertionPoint(*op->region(1));
  if (!op->region(1)->empty() || !yieldFalse.empty()) inside.yield(yieldFalse);
  return merged;
}

// Each level of nesting copies all variables, and its operations are visited again for each
// enclosing level.
constexpr unsigned kMostBranches = 1024;

void checkNesting(Lowering &l) {
  unsigned branches = 0;
  for (const ir::Op *op = l.builder.block().parent; op; op = op->parentOp())
    branches += op->kind == ir::OpKind::If;
  if (branches >= kMostBranches) l.giveUp(ir::DiagId::TooDeep, {}, {std::to_string(kMostBranches)});
}

}  // namespace

Flow branch(Lowering &l, ir::Value *condition, Body onTrue, Body onFalse) {
  if (auto known = scalarConstant(condition)) return *known ? onTrue() : onFalse();
  checkNesting(l);

  ir::Block &outside = l.builder.block();
  ir::Location loc = l.builder.loc;
  ir::Op *op = l.builder.create(ir::OpKind::If, {condition}, {});
  ir::Block *regions[] = {op->addRegion(), op->addRegion()};
  Environment::Slots entry = l.env.save();
  unsigned count = entry.size();

  Arm first = lowerArm(l, *regions[0], entry, onTrue);
  if (first.flow == Flow::Ended) {
    // `if (c) return;`: the rest does not have to be nested.
    l.builder.setInsertionPoint(outside);
    l.builder.loc = loc;
    l.env.truncate(count);
    l.env.restore(entry);
    return onFalse();
  }
  Arm second = lowerArm(l, *regions[1], entry, onFalse);
  l.builder.setInsertionPoint(outside);
  l.builder.loc = loc;
  l.env.truncate(count);
  if (second.flow == Flow::Ended) {
    // Treats `if (c) {...} else return;` as `if (!c) return; ...`.
    spliceAfter(op, *regions[0]);
    while (ir::Op *last = regions[1]->front()) {
      if (ir::Op *previous = regions[0]->back())
        last->moveAfter(previous);
      else {
        std::unique_ptr<ir::Block> swapped = std::move(op->regions[1]);
        op->regions[1] = std::move(op->regions[0]);
        op->regions[0] = std::move(swapped);
        break;
      }
    }
    ir::Builder before = ir::Builder::before(op);
    op->setOperand(0, before.unary(ir::OpKind::Not, condition));
    l.env.restore(Environment::Slots(first.slots.begin(), first.slots.begin() + count));
    return first.flow;
  }
  l.env.restore(merge(l, op, first, second, count));
  if (op->numResults() == 0 && regions[0]->empty() && regions[1]->empty()) op->erase();
  // If a helper returns on one path only, its rest is already in the other path (lower_stmt).
  return first.flow == second.flow ? first.flow : Flow::Falls;
}

}  // namespace tile2cu::frontend
