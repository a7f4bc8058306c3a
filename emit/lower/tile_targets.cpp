#include "emit/lower/tile_targets.h"

#include <algorithm>

#include "emit/lower/loop_nest.h"
#include "llvm/ADT/STLExtras.h"

namespace tile2cu::emit {
using namespace ir;

// The result of the dot or wait that is in the same variable as its accumulator `value`; null if it
// only reads `value`.
static Value *inPlaceOf(const Op *user, const Value *value) {
  if (user->kind != OpKind::DotShared && user->kind != OpKind::DotWait) return nullptr;
  for (unsigned i = 0; i < user->numResults(); ++i)
    if (user->operand(i) == value) return user->result(i);
  return nullptr;
}

// The readers of a carried value's variable: those of the value itself, and those of what products,
// branches and loops make of it in place.
static std::vector<Op *> readersOf(const LoweringContext &ctx, const Value *value) {
  std::vector<Op *> readers;
  for (const auto &[slot, target] : ctx.branchTargets)
    if (target == value)
      for (Op *next : readersOf(ctx, slot.first->result(slot.second))) readers.push_back(next);
  for (Op *user : value->users) {
    // A loop that goes on with the variable hands it on in its results.
    if (isLoop(user))
      for (const auto &result : user->results)
        if (ctx.values.isPlaced(result.get()) &&
            ctx.values.storageOf(result.get()).name == ctx.values.storageOf(value).name)
          for (Op *next : readersOf(ctx, result.get())) readers.push_back(next);
    const Value *same = inPlaceOf(user, value);
    if (!same || (user->kind == OpKind::DotShared && value->users.size() != 1)) {
      readers.push_back(user);
      continue;
    }
    for (Op *next : readersOf(ctx, same)) readers.push_back(next);
  }
  return readers;
}

// The variable of a loop that takes `values[i]` of the terminator at its body's end, and the values
// that read it in the body.
static Value *carriedArgument(const LoweringContext &ctx, Op *loop, size_t i,
                              std::vector<Op *> &readers) {
  if (loop->kind == OpKind::For) {
    Value *argument = ForOp(loop).carried(i);
    readers = readersOf(ctx, argument);
    return argument;
  }
  // while: the first region tests, and hands on what the body reads.
  Value *argument = loop->region(0)->argument(i);
  Op *condition = loop->region(0)->terminator();
  for (unsigned k = 1; k < condition->numOperands(); ++k) {
    if (condition->operand(k) != argument) continue;
    for (Op *reader : readersOf(ctx, loop->region(1)->argument(k - 1))) readers.push_back(reader);
  }
  return argument;
}

Value *carriedTarget(LoweringContext &ctx, const LoopNest *nest, Op *op, Value *outer,
                     std::vector<Op *> &readers) {
  // Products are added up in place.
  auto sums = [&]() -> Value * {
    const Op *user = outer->users.size() == 1 ? outer->users.front() : nullptr;
    return user && user->parent == op->parent ? inPlaceOf(user, outer) : nullptr;
  };
  while (Value *same = sums()) outer = same;
  for (Op *user : outer->users) {
    Op *holder = user->parentOp();
    if (user->kind != OpKind::Yield || user->parent != op->parent || !holder) continue;
    const auto &values = user->operands();
    const unsigned at = std::find(values.begin(), values.end(), outer) - values.begin();
    readers.clear();
    Value *argument = nullptr;
    if (isLoop(holder)) {
      argument = carriedArgument(ctx, holder, at, readers);
    } else if (auto target = ctx.branchTargets.find({holder, at});
               target != ctx.branchTargets.end()) {
      argument = target->second;
      for (Op *reader : argument->users)  // those of the other side are never run with these
        if (isInside(reader->parent, *op->parent)) readers.push_back(reader);
    } else {
      continue;
    }
    if (std::count(values.begin(), values.end(), outer) != 1 || !ctx.values.isPlaced(argument))
      return nullptr;
    for (Op *reader : readers) {
      const bool within = llvm::any_of(
          op->regions, [&](auto &region) { return isInside(reader->parent, *region); });
      if (within && (!nest || isVectorAccess(*nest, reader) || isComputedBehind(*nest, reader)))
        return nullptr;
      if (within) continue;
      const Op *around = ancestorIn(*op->parent, reader);
      if (!around || !isBefore(around, op)) return nullptr;
    }
    return argument;
  }
  return nullptr;
}

const Storage *branchVariable(const LoweringContext &ctx, const Op *op, const Value *outer) {
  for (const Op *user : outer->users) {
    const Op *branch = user->parentOp();
    if (user->kind != OpKind::Yield || user->parent != op->parent || !branch ||
        branch->kind != OpKind::If)
      continue;
    const unsigned at = llvm::find(user->operands(), outer) - user->operands().begin();
    if (ctx.branchTargets.count({branch, at})) return nullptr;
    return &ctx.values.storageOf(branch->result(at));
  }
  return nullptr;
}

}  // namespace tile2cu::emit
