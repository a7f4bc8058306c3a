#include "passes/analysis/value/tile_storage.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/analysis/value/nest_steps.h"

namespace tile2cu::passes {
using namespace ir;

TileStorage::TileStorage(const Kernel &kernel, const UnitAxes &units)
    : kernel_(kernel), units_(units) {
  assign(kernel.body);
  if (kernel.producer) assign(*kernel.producer);
}

Value *TileStorage::sharedWith(const Value *value) const {
  const auto shared = shared_.find(value);
  return shared == shared_.end() ? nullptr : shared->second;
}

// The value whose variable it is.
const Value *TileStorage::variableOf(const Value *value) const {
  while (const Value *with = sharedWith(value)) value = with;
  return value;
}

// ---- who reads a variable

// The result of the dot or wait that is in the same variable as its accumulator `value`; null if it
// only reads `value`.
static Value *inPlaceOf(const Op *user, const Value *value) {
  if (user->kind != OpKind::DotShared && user->kind != OpKind::DotWait) return nullptr;
  for (unsigned i = 0; i < user->numResults(); ++i)
    if (user->operand(i) == value) return user->result(i);
  return nullptr;
}

// The readers of a carried value's variable: those of the value itself, and those of what dots,
// branches and loops make of it in place.
std::vector<Op *> TileStorage::readersOf(const Value *value) const {
  std::vector<Op *> readers;
  for (const auto &[slot, target] : branchTargets_)
    if (target == value) llvm::append_range(readers, readersOf(slot.first->result(slot.second)));
  for (Op *user : value->users) {
    // A loop that goes on with the variable hands it on in its results.
    if (isLoop(user))
      for (const auto &result : user->results)
        if (variableOf(result.get()) == variableOf(value))
          llvm::append_range(readers, readersOf(result.get()));
    const Value *same = inPlaceOf(user, value);
    if (same && (user->kind != OpKind::DotShared || value->users.size() == 1))
      llvm::append_range(readers, readersOf(same));
    else
      readers.push_back(user);
  }
  return readers;
}

// Those of what the loop carries as number `i`.
std::vector<Op *> TileStorage::readersOfCarried(const Op *loop, unsigned i) const {
  if (loop->kind == OpKind::For) return readersOf(ForOp(loop).carried(i));
  // The first region of a `while` tests, and hands on what the body reads.
  std::vector<Op *> readers;
  const Value *argument = loop->region(0)->argument(i);
  const Op *condition = loop->region(0)->terminator();
  for (unsigned k = 1; k < condition->numOperands(); ++k)
    if (condition->operand(k) == argument)
      llvm::append_range(readers, readersOf(loop->region(1)->argument(k - 1)));
  return readers;
}

// ---- written over a carried value, or into a branch's result

// The carried value that `result`, one of the loop nest or branch `op`, may be written over: the
// loop's next value of it, read by nothing later. A break or continue that hands on the old value
// is such a reader. `steps`: of a loop nest, which may read it while it writes.
Value *TileStorage::carriedTarget(const Op *op, const Value *result, const NestSteps *steps,
                                  std::vector<Op *> &readers) const {
  // Dots are added up in place.
  const auto accumulator = [&]() -> const Value * {
    const Op *user = result->users.size() == 1 ? result->users.front() : nullptr;
    return user && user->parent == op->parent ? inPlaceOf(user, result) : nullptr;
  };
  while (const Value *same = accumulator()) result = same;
  for (const Op *user : result->users) {
    const Op *holder = user->parentOp();
    if (user->kind != OpKind::Yield || user->parent != op->parent || !holder) continue;
    const auto &values = user->operands();
    const unsigned at = llvm::find(values, result) - values.begin();
    Value *target = nullptr;
    if (isLoop(holder)) {
      target =
          holder->kind == OpKind::For ? ForOp(holder).carried(at) : holder->region(0)->argument(at);
      readers = readersOfCarried(holder, at);
    } else if (const auto written = branchTargets_.find({holder, at});
               written != branchTargets_.end()) {
      target = written->second;
      // The readers of the other side are never run with these.
      llvm::copy_if(target->users, std::back_inserter(readers = {}),
                    [&](const Op *reader) { return isInside(reader->parent, *op->parent); });
    } else {
      continue;
    }
    if (llvm::count(values, result) != 1) return nullptr;
    const bool isFree = llvm::all_of(readers, [&](const Op *reader) {
      if (llvm::any_of(op->regions, [&](auto &side) { return isInside(reader->parent, *side); }))
        return steps && !steps->isVectorAccess(reader) && !steps->isComputedAgain(reader);
      const Op *around = ancestorIn(*op->parent, reader);
      return around && isBefore(around, op);
    });
    return isFree ? target : nullptr;
  }
  return nullptr;
}

// The result of a branch that `result`, one of the loop nest or dot `op`, becomes at the end of its
// side, and whose variable nothing reads before.
Value *TileStorage::branchVariable(const Op *op, const Value *result) const {
  for (const Op *user : result->users) {
    const Op *branch = user->parentOp();
    if (user->kind != OpKind::Yield || user->parent != op->parent || !branch ||
        branch->kind != OpKind::If)
      continue;
    const unsigned at = llvm::find(user->operands(), result) - user->operands().begin();
    return branchTargets_.contains({branch, at}) ? nullptr : branch->result(at);
  }
  return nullptr;
}

// ---- loops

// Whether nothing reads `value` after `op`, its one user: no loop around `op` alone comes back to
// it.
static bool isUsedUp(const Value *value, const Op *op) {
  return value->users.size() == 1 && loopAround(value->home()) == loopAround(op->parent);
}

// Whether a variable of `loop` is that of its first value: an array that nothing else reads, or the
// number of a loop before.
static bool takesOver(const Op *loop, const Value *init) {
  if (!isUsedUp(init, loop)) return false;
  if (init->type.isTile()) return hasWholeArray(init);
  return init->definition && init->definition->kind == OpKind::For;
}

void TileStorage::assignFor(const ForOp &loop) {
  for (unsigned i = 0; i < loop.numCarried(); ++i) {
    if (takesOver(loop.op, loop.init(i))) share(loop.carried(i), loop.init(i));
    share(loop.result(i), loop.carried(i));
  }
  if (const Op *entry = entryOf(loop.op)) assign(*entry->region(0));
  assign(loop.body());
}

bool isKnownBefore(const Op *loop, const Value *passed) {
  return !passed->type.isTile() && definedOutside(passed, *loop->region(0));
}

// After a `while`, a value that it hands on is in the variable that it had at the loop's head, or,
// where the head computes it, in one that gets it when the loop is left.
void TileStorage::assignWhileResults(const WhileOp &loop) {
  const Block &head = *loop->region(0);
  const Op *condition = head.terminator();
  std::set<unsigned> taken;  // arguments whose variables hold results
  for (unsigned i = 0; i < loop->numResults(); ++i) {
    const Value *passed = condition->operand(1 + i);
    if (loop->result(i)->unused() || !passed->isArgument() || passed->owner != &head) continue;
    if (taken.insert(passed->index).second) share(loop->result(i), head.argument(passed->index));
  }
  for (unsigned i = 0; i < loop->numResults(); ++i) {
    const Value *result = loop->result(i), *passed = condition->operand(1 + i);
    if (result->unused() || sharedWith(result) || isKnownBefore(loop.op, passed)) continue;
    // The variable of the same name in the source is free: nothing else reads it after the loop.
    const auto same = llvm::find_if(head.arguments, [&](const auto &argument) {
      return !taken.contains(argument->index) && !argument->name.empty() &&
             argument->name == result->name && argument->type == result->type;
    });
    if (same == head.arguments.end()) continue;
    taken.insert((*same)->index);
    share(result, same->get());
  }
}

void TileStorage::assignWhile(const WhileOp &loop) {
  const Op *condition = loop->region(0)->terminator();
  for (unsigned i = 0; i < loop->numOperands(); ++i)
    if (takesOver(loop.op, loop->operand(i))) share(loop->region(0)->argument(i), loop->operand(i));
  assignWhileResults(loop);
  assign(*loop->region(0));
  for (unsigned i = 0; i < loop->numResults(); ++i)
    if (condition->operand(1 + i)->type.isTile())
      share(loop->region(1)->argument(i), condition->operand(1 + i));
  assign(*loop->region(1));
}

// ---- branches

// Whether `value` has an array of its own that a branch of the same block may write over: what the
// loop around carries, the accumulator of a dot, the result of a loop nest, what another branch
// wrote over it.
static bool hasOwnArray(const Value *value, const Op *branch) {
  if (value->isArgument())
    return value->owner == branch->parent && branch->parentOp() &&
           branch->parentOp()->kind == OpKind::For;
  const Op *made = value->definition;
  return made->parent == branch->parent &&
         (made->kind == OpKind::Nest || made->kind == OpKind::DotShared ||
          made->kind == OpKind::DotWait || made->kind == OpKind::If);
}

// Whether `op` is in the branch, or is done before it is reached.
static bool isInOrBefore(const Op *op, const Op *branch) {
  op = ancestorIn(*branch->parent, op);
  return op && (op == branch || isBefore(op, branch));
}

bool TileStorage::isWrittenOver(const Op *branch, const Value *target) const {
  return llvm::any_of(branchTargets_, [&](const auto &known) {
    return known.first.first == branch && known.second == target;
  });
}

// The tile that one side of a branch hands on as it was and that nothing reads later: the other
// side writes over it.
Value *TileStorage::branchTarget(const Op *branch, unsigned i) const {
  for (auto &side : branch->regions) {
    const Op *end = side->terminator();
    if (!end || end->kind != OpKind::Yield || !end->operand(i)->type.isTile()) continue;
    Value *value = end->operand(i);
    if (!hasOwnArray(value, branch) || isWrittenOver(branch, value) || !hasWholeArray(value))
      continue;
    if (!(*value->type.layout() == *branch->result(i)->type.layout())) continue;
    if (llvm::all_of(value->users, [&](const Op *user) { return isInOrBefore(user, branch); }))
      return value;
  }
  return nullptr;
}

void TileStorage::assignBranch(const IfOp &branch) {
  std::vector<Op *> readers;
  for (unsigned i = 0; i < branch->numResults(); ++i) {
    const Value *result = branch->result(i);
    if (Value *target = branchTarget(branch.op, i)) {
      branchTargets_[{branch.op, i}] = target;
      share(result, target);
    } else if (result->type.isTile()) {
      if (Value *carried = carriedTarget(branch.op, result, nullptr, readers))
        share(result, carried);
    }
  }
  if (loopBegunBy(branch.op)) return;  // the loop begins in its first side
  for (auto &side : branch->regions) assign(*side);
}

// ---- loop nests

// Whether the carried value that `inner` is written over may change at once: nothing else reads it
// in the loop nest.
static bool mayChangeAtOnce(const Op *nest, const Value *inner, llvm::ArrayRef<Op *> readers) {
  unsigned reads = 0;
  bool isOwn = false;
  for (const Op *reader : readers)
    if (isInside(reader->parent, *nest->region())) {
      ++reads;
      isOwn |= reader == inner->definition;
    }
  return reads == 0 || (reads == 1 && isOwn);
}

void TileStorage::assignNest(const NestOp &nest) {
  assign(*nest->region());  // what a `map` in it does with scalars
  if (nest->numResults() == 0) return;
  const Op *yield = nest->region()->terminator();
  const NestSteps steps(kernel_, nest.op, units_.vectorAxis(*nest->layout));
  std::vector<Op *> readers;
  for (unsigned i = 0; i < yield->numOperands(); ++i) {
    const Value *inner = yield->operand(i), *result = nest->result(i);
    if (inner->definition->kind == OpKind::ReduceThread) continue;  // starts with its identity
    if (llvm::count(yield->operands(), inner) != 1) continue;
    Value *target =
        steps.numRuns() == 1 ? carriedTarget(nest.op, result, &steps, readers) : nullptr;
    if (target && !mayChangeAtOnce(nest.op, inner, readers)) last_.insert(result);
    if (!target) target = branchVariable(nest.op, result);
    if (target) share(result, target);
  }
}

// ---- all operations

// Whether the other readers of what `op` combines are done before it: it is in their block, or in
// a branch after them.
static bool isLastReader(const Op *op) {
  const Value *parts = op->operand(0);
  if (!parts->definition) return false;
  const Block *home = parts->definition->parent;
  if (parts->users.size() == 1) return loopAround(home) == loopAround(op->parent);
  if (op->numOperands() != 1) return false;
  const Op *around = op;
  for (; around->parent != home; around = around->parentOp())
    if (around->parentOp()->kind != OpKind::If) return false;
  return llvm::all_of(parts->users, [&](const Op *user) {
    return user == op || isBefore(ancestorIn(*home, user), around);
  });
}

// Whether a dot adds to the variable of its accumulator: nothing else reads that, nor an outer loop
// again.
static bool addsInPlace(const Op *dot) {
  const Value *accumulator = dot->operand(0);
  return accumulator->users.size() == 1 && accumulator->home() == dot->parent &&
         hasWholeArray(accumulator);
}

void TileStorage::assign(const Block &block) {
  for (auto &op : block.ops) assign(op.get());
}

void TileStorage::assign(Op *op) {
  if (op->has(Attr::exchange)) return;
  if (const auto loop = ForOp::of(op)) return assignFor(loop);
  if (const auto loop = WhileOp::of(op)) return assignWhile(loop);
  if (const auto branch = IfOp::of(op)) return assignBranch(branch);
  if (const auto nest = NestOp::of(op)) return assignNest(nest);
  for (auto &region : op->regions) assign(*region);  // of functions
  if (const auto dot = DotSharedOp::of(op)) {
    Value *target = !dot->operand(0)  ? branchVariable(op, dot->result())
                    : addsInPlace(op) ? dot->operand(0)
                                      : nullptr;
    if (target) share(dot->result(), target);
  }
  if (const auto wait = DotWaitOp::of(op))
    for (unsigned i = 0; i < wait->numResults(); ++i) share(wait->result(i), wait->operand(i));
  if (const auto across = ReduceAcrossOp::of(op); across && isLastReader(op))
    for (auto &result : across->results) share(result.get(), across->operand(0));
}

}  // namespace tile2cu::passes
