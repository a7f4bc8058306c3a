#include "passes/rewrite/dead_code.h"

#include "llvm/ADT/DenseSet.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/rewrite/loop_surgery.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// Marks what is live from its roots (operations with effects) backwards, then sweeps the rest.
struct State {
  llvm::DenseSet<const Op *> ops = llvm::DenseSet<const Op *>();
  llvm::SetVector<const Value *> values = {};
  std::vector<const Value *> work = {};

  void need(const Value *value) {
    if (value && values.insert(value)) work.push_back(value);
  }

  void needOp(Op *op) {
    if (!ops.insert(op).second) return;
    if (Op *owner = op->parentOp()) needOp(owner);
    switch (op->kind) {
      case OpKind::For:
        for (unsigned i = 0; i < 3; ++i) need(op->operand(i));
        needExits(op);
        return;
      case OpKind::While:
        needExits(op);
        return need(op->region(0)->back()->operand(0));  // the condition
      case OpKind::If:
        return need(op->operand(0));
      case OpKind::Break:
      case OpKind::Continue:
        return;  // their values are needed one by one
      default:
        break;
    }
    for (const Value *value : op->operands()) need(value);
    for (auto &region : op->regions)
      if (Op *end = region->terminator())
        for (const Value *value : end->operands()) need(value);
  }
  void needExits(Op *loop) {
    for (Op *exit : exitsOf(loop, true, true)) needOp(exit);
  }

  // Whether it passes values on to the operation that owns its region.
  static bool handsOn(const Op &op) { return op.is(Terminator) && !op.is(Exit); }
  static const Value *handedOn(const Block &region, unsigned i) {
    const Op *end = region.back();
    return end && handsOn(*end) ? end->operand(i) : nullptr;
  }

  void needResult(Op *op, unsigned i) {
    needOp(op);
    switch (op->kind) {
      case OpKind::If:
        for (auto &region : op->regions) need(handedOn(*region, i));
        return;
      case OpKind::For:
        need(ForOp(op).init(i));
        need(handedOn(*op->region(), i));
        for (Op *exit : exitsOf(op, true, true)) need(exit->operand(i));
        return;
      case OpKind::While:
        need(handedOn(*op->region(0), 1 + i));
        for (Op *exit : exitsOf(op, true, false)) need(exit->operand(i));
        return;
      default:
        return;
    }
  }

  void needArgument(Block *block, unsigned i) {
    Op *op = block->parent;
    if (!isLoop(op)) return;  // a parameter, or a region whose operation is live as a whole
    needOp(op);
    if (op->kind == OpKind::For) {
      if (i == 0) return;
      need(ForOp(op).init(i - 1));
      need(handedOn(*block, i - 1));
      for (Op *exit : exitsOf(op, true, true)) need(exit->operand(i - 1));
    } else if (block == op->region(0)) {
      need(op->operand(i));
      need(handedOn(*op->region(1), i));
      for (Op *exit : exitsOf(op, false, true)) need(exit->operand(i));
    } else {
      need(handedOn(*op->region(0), 1 + i));
      for (Op *exit : exitsOf(op, true, false)) need(exit->operand(i));
    }
  }

  void mark(Block &body, llvm::function_ref<bool(const Op &)> isRoot) {
    walk(body, [&](Op *op) {
      if (isRoot(*op)) needOp(op);
    });
    while (!work.empty()) {
      const Value *value = work.back();
      work.pop_back();
      if (value->isArgument())
        needArgument(value->owner, value->index);
      else
        needResult(value->definition, value->index);
    }
  }

  // ---- sweeping, users before definitions
  bool isDead(const Value &value) const { return !values.contains(&value); }

  // Slots: values that a live branch or loop passes on. `forget` drops the uses by dead slots,
  // `erase` removes the slots.
  bool isDeadSlot(const Op &op, unsigned i) const {
    if (!isDead(*op.result(i))) return false;
    return op.kind == OpKind::If || isDead(*op.region(op.kind == OpKind::For ? 0 : 1)
                                                ->argument(op.kind == OpKind::For ? 1 + i : i));
  }
  static void forget(Op *end, OpKind kind, unsigned i) {
    if (end && end->kind == kind) end->setOperand(i, nullptr);
  }
  void forgetSlots(Op *op) {
    if (op->kind != OpKind::If && !isLoop(op)) return;
    bool isWhile = op->kind == OpKind::While;
    for (unsigned i = 0; i < op->numResults(); ++i) {
      if (!isDeadSlot(*op, i)) continue;
      if (op->kind == OpKind::For) ForOp(op).setInit(i, nullptr);
      if (isLoop(op))
        for (Op *exit : exitsOf(op, true, !isWhile)) exit->setOperand(i, nullptr);
      if (isWhile)
        forget(op->region(0)->back(), OpKind::Condition, 1 + i);
      else
        for (auto &region : op->regions) forget(region->back(), OpKind::Yield, i);
    }
    for (unsigned i = 0; isWhile && i < op->numOperands(); ++i) {
      if (!isDead(*op->region(0)->argument(i))) continue;
      op->setOperand(i, nullptr);
      forget(op->region(1)->back(), OpKind::Yield, i);
      for (Op *exit : exitsOf(op, false, true)) exit->setOperand(i, nullptr);
    }
  }
  void eraseSlots(Op *op) {
    if (op->kind != OpKind::If && !isLoop(op)) return;
    for (unsigned i = op->numResults(); i-- > 0;) {
      if (!isDeadSlot(*op, i)) continue;
      if (op->kind == OpKind::If)
        eraseBranchResult(op, i);
      else if (op->kind == OpKind::For)
        eraseCarried(op, i);
      else
        erasePassed(op, i);
    }
    for (unsigned i = op->numOperands(); op->kind == OpKind::While && i-- > 0;)
      if (isDead(*op->region(0)->argument(i))) eraseHeadArgument(op, i);
  }

  // Dead operations and slots drop their operands first: values carried around a loop are used
  // before their definition.
  void release(Block &block, bool isLive = true) {
    for (auto &op : block.ops) {
      bool stays = isLive && (handsOn(*op) || ops.contains(op.get()));
      if (!stays)
        op->setOperands({});
      else
        forgetSlots(op.get());
      for (auto &region : op->regions) release(*region, stays);
    }
  }

  void sweep(Block &block) {
    for (Op *op = block.back(); op;) {
      Op *previous = op->previous();
      if (ops.contains(op)) {
        eraseSlots(op);
        for (auto it = op->regions.rbegin(); it != op->regions.rend(); ++it) sweep(**it);
      } else if (!handsOn(*op)) {
        op->erase();
      }
      op = previous;
    }
  }
};

bool hasEffect(const Op &op) {
  bool isVolatile = op.kind == OpKind::Load && op.get(Attr::cache) == CacheOp::Cv;
  return op.is(Writes) || op.is(Host) || op.kind == OpKind::Return ||
         op.kind == OpKind::LoadFragments || isVolatile;
}

}  // namespace

void removeDeadCode(Block &body) { keepNeeded(body, hasEffect); }

Needed neededBy(Block &body, llvm::function_ref<bool(const Op &)> isRoot) {
  State state;
  state.mark(body, isRoot);
  return {std::move(state.ops), std::move(state.values)};
}

void keepNeeded(Block &body, llvm::function_ref<bool(const Op &)> isRoot) {
  State state;
  state.mark(body, isRoot);
  state.release(body);
  state.sweep(body);
}

}  // namespace tile2cu::passes
