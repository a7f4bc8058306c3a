#include "passes/analysis/memory/index_arithmetic.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/global_access.h"
#include "passes/analysis/memory/global_effects.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// Whether C++ computes an operand only if another one says so: `a && b` and `c ? x : y` of scalars.
// The front end computes both sides; what it computes for nothing may overflow.
bool isConditional(const Op *op) {
  if (op->kind == OpKind::Select) {
    const Op *condition = op->operand(0)->definition;
    return !op->result()->type.isTile() || (condition && condition->kind == OpKind::Splat);
  }
  const bool isLogic = op->kind == OpKind::And || op->kind == OpKind::Or;
  return isLogic && !op->result()->type.isTile() && op->result()->type.scalar() == Scalar::Bool;
}

bool isIndexArithmetic(const Op *op) {
  if (!op->is(Pure) || op->kind == OpKind::Map || isConditional(op)) return false;
  return llvm::all_of(op->results, [](const auto &result) {
    const Type &type = result->type;
    return type.isPointer() || type.scalar() == Scalar::Bool || isInteger(type.scalar());
  });
}

// The values that a value may be: those that a loop or a branch passes on to it.
class PassedOn {
 public:
  explicit PassedOn(std::vector<const Value *> &open) : open_(open) {}

  void to(const Value *value) {
    const Op *op = value->isArgument() ? value->owner->parent : value->definition;
    if (!op) return;
    const unsigned i = value->index;
    if (op->kind == OpKind::If) {
      for (auto &region : op->regions) leaving(*region, OpKind::Yield, i);
    } else if (op->kind == OpKind::For) {
      toFor(ForOp(op), value, i);
    } else if (op->kind == OpKind::While) {
      toWhile(op, value, i);
    }
  }

 private:
  void toFor(const ForOp &loop, const Value *value, unsigned i) {
    if (!value->isArgument()) {
      open_.push_back(loop.carried(i));
      leaving(loop.body(), OpKind::Break, i);
    } else if (i == 0) {
      open_.insert(open_.end(), {loop.lower(), loop.step()});
    } else {
      open_.push_back(loop.init(i - 1));
      for (OpKind kind : {OpKind::Yield, OpKind::Continue}) leaving(loop.body(), kind, i - 1);
    }
  }
  void toWhile(const Op *loop, const Value *value, unsigned i) {
    if (value->owner == loop->region(0)) {
      open_.push_back(loop->operand(i));
      for (OpKind kind : {OpKind::Yield, OpKind::Continue}) leaving(*loop->region(1), kind, i);
      return;
    }
    leaving(*loop->region(0), OpKind::Condition, i + 1);
    if (!value->isArgument()) leaving(*loop->region(1), OpKind::Break, i);
  }
  // Operand `i` of the operations of this kind that end the region, also from inside a branch.
  void leaving(const Block &region, OpKind kind, unsigned i) {
    for (auto &op : region.ops) {
      if (op->kind == kind) open_.push_back(op->operand(i));
      if (op->kind != OpKind::If || (kind != OpKind::Break && kind != OpKind::Continue)) continue;
      for (auto &inner : op->regions) leaving(*inner, kind, i);
    }
  }

  std::vector<const Value *> &open_;
};

// The values that are used as indices: pointers, and with IndexUse::All also masks and the indices
// of tiles.
std::vector<const Value *> rootsOf(Kernel &kernel, IndexUse use) {
  std::vector<const Value *> roots;
  walk(kernel.body, [&](Op *op) {
    for (const GlobalEffect &effect : globalEffects(op)) roots.push_back(effect.pointer);
    if (use == IndexUse::Addresses) return;
    if (op->is(GlobalAccess)) {
      roots.push_back(maskOf(op));
    } else if (op->kind == OpKind::Gather || op->kind == OpKind::Scatter) {
      roots.push_back(op->operand(1));
      if (op->kind == OpKind::Scatter) roots.push_back(op->operand(ScatterOp::mask_optIndex));
    } else if (const unsigned first = firstStart(op)) {
      for (const Value *start : llvm::drop_begin(op->operands(), first)) roots.push_back(start);
    }
  });
  return roots;
}

}  // namespace

bool isInFunctor(const Op *op) {
  for (const Op *parent = op->parentOp(); parent; parent = parent->parentOp())
    if (parent->kind == OpKind::Map || parent->kind == OpKind::Reduce ||
        parent->kind == OpKind::Scan)
      return true;
  return false;
}

unsigned firstStart(const Op *op) {
  return op->kind == OpKind::Extract ? 1 : op->kind == OpKind::Insert ? 2 : 0;
}

std::vector<Op *> indexArithmetic(Kernel &kernel, IndexUse use) {
  std::vector<const Value *> open = rootsOf(kernel, use);
  std::set<const Value *> known;
  std::set<const Op *> found;
  PassedOn passedOn(open);
  while (!open.empty()) {
    const Value *value = open.back();
    open.pop_back();
    if (!value || !known.insert(value).second) continue;
    passedOn.to(value);
    const Op *op = value->definition;
    if (!op || !isIndexArithmetic(op)) continue;
    found.insert(op);
    const bool divides = op->kind == OpKind::Div || op->kind == OpKind::Rem;
    const bool isDividendOnly = divides && use == IndexUse::Addresses;
    const auto operands =
        llvm::ArrayRef(op->operands()).take_front(isDividendOnly ? 1 : op->numOperands());
    open.insert(open.end(), operands.begin(), operands.end());
  }
  std::vector<Op *> result;
  walk(kernel.body, [&](Op *op) {
    if (found.count(op) && !isInFunctor(op)) result.push_back(op);
  });
  return result;
}

}  // namespace tile2cu::passes
