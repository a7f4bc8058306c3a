#include "passes/pipeline/async_dots.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/ring_stage.h"
#include "passes/rewrite/dead_code.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The values of the loop that the result of `op` depends on, and the operations that compute it.
Needed neededFor(const LoopDots &loop, const Op *op) {
  return neededBy(loop.body, [&](const Op &each) { return &each == op; });
}

// Whether the update of a carried accumulator is written over it: element by element, or by a
// branch that leaves it as it is on one side. A scan, say, has registers of its own. If a dot adds
// to them, they are copied at the end of the iteration, and the dot must not be in flight there.
bool isWrittenOver(const Value *carried, const Op *update) {
  if (update->kind != OpKind::If) return update->is(Elementwise);
  return update->numResults() == 1 && llvm::any_of(update->regions, [&](const auto &side) {
           const Op *end = side->terminator();
           return end && end->kind == OpKind::Yield && end->operand(0) == carried;
         });
}

// Whether the loop carries the accumulator to the next iteration's dot. With `isUpdated`, the
// accumulator of the dot may be computed from the carried one, if nothing uses that after the
// update.
bool staysInPlace(const LoopDots &loop, const Op *dot, bool isUpdated) {
  const Value *acc = dot->operand(DotSharedOp::acc_optIndex), *sum = dot->result();
  const Op *end = loop.body.terminator();
  if (!acc || acc->users.size() != 1 || sum->users.size() != 1 || !end ||
      end->kind != OpKind::Yield || sum->users.front() != end)
    return false;
  const unsigned slot = llvm::find(end->operands(), sum) - end->operands().begin();
  const Value *carried = loop.body.argument(1 + slot);
  if (acc == carried) return true;
  const Op *update = acc->definition;
  return isUpdated && update && update->parent == &loop.body && isWrittenOver(carried, update) &&
         neededFor(loop, update).values.contains(carried) &&
         llvm::all_of(carried->users, [&](const Op *user) {
           const Op *inBody = ancestorIn(loop.body, user);
           return inBody && (inBody == update || isBefore(inBody, update));
         });
}

bool isWrittenIn(const LoopDots &loop, int64_t buffer) {
  bool found = false;
  walk(loop.body, [&](const Op *op) {
    found |= op->has(Attr::buffer) && op->getInt(Attr::buffer) == buffer &&
             op->kind != OpKind::SharedLoad;
  });
  return found;
}

// The wait, in the same iteration, for the stage of operand `i`; null if there is none.
const Op *ringWaitIn(const LoopDots &loop, const Op *dot, unsigned i) {
  const Op *ringWait =
      ringWaitOf(dot->operand(i ? DotSharedOp::b_stage_optIndex : DotSharedOp::stage_optIndex));
  return ringWait && ringWait->parent == &loop.body ? ringWait : nullptr;
}

bool keepsSharedMemory(const LoopDots &loop, const Op *dot, bool isPastIteration) {
  const auto &buffers = dot->getInts(Attr::buffers);
  for (unsigned i : {0, 1}) {
    if (const Op *ringWait = ringWaitIn(loop, dot, i)) {
      const SharedRing &ring = loop.kernel.rings[ringWait->getInt(Attr::ring)];
      if (isPastIteration && ring.stages < 2) return false;
    } else if (buffers[i] >= 0 && isWrittenIn(loop, buffers[i])) {
      return false;
    }
  }
  return true;
}

bool keepsRegisters(const LoopDots &loop, const Op *dot, bool isPastIteration) {
  const Value *a = dot->operand(DotSharedOp::a_optIndex);
  if (!a || definedOutside(a, loop.body)) return true;
  if (a->isArgument()) return !isPastIteration;
  const Needed needed = neededFor(loop, a->definition);
  return llvm::any_of(loop.isWaited, [&](const Op *other) { return needed.ops.contains(other); });
}

// Whether one wait of the loop alone goes through the stages of the ring.
bool isOnlyRingWait(const LoopDots &loop, const Op *ringWait) {
  bool isOnly = true;
  walk(loop.body, [&](const Op *op) {
    isOnly &= op == ringWait || op->kind != OpKind::ConsumerWait ||
              op->getInt(Attr::ring) != ringWait->getInt(Attr::ring);
  });
  return isOnly;
}

}  // namespace

bool canStayAsync(const LoopDots &loop, const Op *dot, WaitAt wait) {
  if (dot->parent != &loop.body || !dot->has(Attr::group_columns)) return false;
  const bool isRead = !dot->operand(DotSharedOp::acc_optIndex) && !dot->result()->unused();
  const bool isPastIteration = wait == WaitAt::NextIteration || wait == WaitAt::NextFirstUse;
  return (wait == WaitAt::FirstUse ? isRead
                                   : staysInPlace(loop, dot, wait == WaitAt::NextFirstUse)) &&
         keepsSharedMemory(loop, dot, isPastIteration) &&
         keepsRegisters(loop, dot, isPastIteration);
}

bool canStartEarly(const LoopDots &loop, const Op *dot, StartAt start) {
  if (llvm::any_of(dot->getInts(Attr::buffers),
                   [&](int64_t buffer) { return buffer >= 0 && isWrittenIn(loop, buffer); }))
    return false;
  return llvm::all_of(dot->operands(), [&](const Value *operand) {
    if (!operand || definedOutside(operand, loop.body)) return true;
    if (operand->isArgument())
      return start == StartAt::IterationStart && operand->owner == &loop.body;
    const Op *ringWait = ringWaitOf(operand);
    return ringWait && ringWait->parent == &loop.body && isOnlyRingWait(loop, ringWait);
  });
}

Op *waitFor(Builder &b, llvm::ArrayRef<Value *> accumulators) {
  Op *wait = b.create(OpKind::DotWait, {}, {});
  for (Value *each : accumulators)
    each->replaceAllUsesWith(wait->addResult(each->type, each->name));
  wait->setOperands(accumulators);
  return wait;
}

}  // namespace tile2cu::passes
