#include "passes/layout/layout_groups.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/layout/layout_inference.h"
#include "passes/analysis/layout/mma_plan.h"
#include "passes/analysis/memory/global_access.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::passes {
using namespace ir;

int64_t LayoutGroup::numElements() const {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

Value *LayoutGroups::representative(Value *value) {
  auto it = parent_.find(value);
  if (it == parent_.end() || it->second == value) return value;
  return it->second = representative(it->second);
}

void LayoutGroups::join(Value *a, Value *b) {
  if (!a || !b || !a->type.isTile() || !b->type.isTile()) return;
  T2C_ASSERT(a->type.shape() == b->type.shape());
  parent_[representative(b)] = representative(a);
}

namespace {
// The loop that a break or continue belongs to.
Op *enclosingLoop(Op *op) {
  for (op = op->parentOp(); op; op = op->parentOp())
    if (isLoop(op)) return op;
  return nullptr;
}
}  // namespace

// Loops and branches, and what ends them.
void LayoutGroups::joinControl(Op *op) {
  switch (op->kind) {
    case OpKind::For:
      for (unsigned i = 0; i < op->numResults(); ++i) {
        join(op->result(i), ForOp(op).init(i));
        join(op->result(i), ForOp(op).carried(i));
        join(op->result(i), op->region()->terminator()->operand(i));
      }
      return;
    case OpKind::While:
      for (unsigned i = 0; i < op->numOperands(); ++i) {
        join(op->operand(i), op->region(0)->argument(i));
        if (op->region(1)->terminator()->kind == OpKind::Yield)
          join(op->operand(i), op->region(1)->terminator()->operand(i));
      }
      for (unsigned i = 0; i < op->numResults(); ++i) {
        join(op->result(i), op->region(1)->argument(i));
        join(op->result(i), op->region(0)->terminator()->operand(1 + i));
      }
      return;
    case OpKind::If:
      for (auto &region : op->regions)
        if (Op *yield = region->terminator(); yield && yield->kind == OpKind::Yield)
          for (unsigned i = 0; i < op->numResults(); ++i) join(op->result(i), yield->operand(i));
      return;
    case OpKind::Break:
    case OpKind::Continue:
      for (unsigned i = 0; i < op->numOperands(); ++i) {
        Op *loop = enclosingLoop(op);
        join(loop->kind == OpKind::For ? loop->result(i) : loop->operand(i), op->operand(i));
      }
      return;
    default:
      return;
  }
}

void LayoutGroups::joinOp(Op *op) {
  if (op->is(Control)) return joinControl(op);
  switch (op->kind) {
    case OpKind::Insert:
      return join(op->result(), op->operand(0));
    case OpKind::Gather:
      return join(op->result(), op->operand(GatherOp::indexIndex));
    case OpKind::Scatter:
      for (Value *operand : llvm::drop_begin(op->operands(), 2)) join(op->operand(1), operand);
      return join(op->result(), op->operand(ScatterOp::sourceIndex));
    case OpKind::Reduce:
      for (unsigned i = 1; i < op->numOperands(); ++i) join(op->operand(0), op->operand(i));
      for (unsigned i = 1; i < op->numResults(); ++i) join(op->result(0), op->result(i));
      return;
    case OpKind::Sort:
      join(op->result(0), op->result(1));
      if (op->result(0)->type.shape() == op->operand(0)->type.shape())
        join(op->operand(0), op->result(0));
      return;
    case OpKind::Dot:
      join(op->result(), op->operand(2));
      return;
    case OpKind::Split:
    case OpKind::Deinterleave:
      join(op->result(0), op->result(1));
      return;
    case OpKind::Join:
    case OpKind::Interleave:
      join(op->operand(0), op->operand(1));
      return;
    case OpKind::ExpandDims:
    case OpKind::Broadcast:
    case OpKind::Reshape:
    case OpKind::Permute:
      return;
    case OpKind::Cat:
      if (op->operand(0)->type.shape() == op->operand(1)->type.shape())
        join(op->operand(0), op->operand(1));
      return;
    case OpKind::Flip:
    case OpKind::Slice:
    case OpKind::Extract:
      return;
    default: {
      Value *first = nullptr;
      auto add = [&](Value *value) {
        if (!value || !value->type.isTile()) return;
        if (first)
          join(first, value);
        else
          first = value;
      };
      for (Value *operand : op->operands()) add(operand);
      for (auto &result : op->results) add(result.get());
    }
  }
}

LayoutGroups::LayoutGroups(Block &body) {
  std::vector<Value *> values;
  walk(body, [&](Op *op) {
    joinOp(op);
    for (auto &result : op->results) values.push_back(result.get());
    for (auto &region : op->regions)
      for (auto &argument : region->arguments) values.push_back(argument.get());
  });
  for (Value *value : values) {
    if (!value->type.isTile()) continue;
    Value *root = representative(value);
    if (!index_.emplace(root, groups_.size()).second) continue;
    LayoutGroup group;
    group.representative = root;
    group.shape = value->type.shape();
    if (value->definition) group.loc = value->definition->loc;
    groups_.push_back(std::move(group));
  }
  walk(body, [&](Op *op) {
    auto groupOf = [&](Value *value) -> LayoutGroup & {
      return groups_[index_.at(representative(value))];
    };
    if (isTileAccess(op)) {
      LayoutGroup &group = groupOf(op->operand(0));
      if (group.accesses.empty()) group.loc = op->loc;
      group.accesses.push_back(op);
    }
    if (op->kind == OpKind::TensorLoad && !feedsOnlyDots(op->result())) {
      LayoutGroup &group = groupOf(op->result());
      group.copies.push_back(op);
      group.loc = op->loc;
    }
    if (op->kind == OpKind::Dot) groupOf(op->result()).dots.push_back(op);
    if (op->kind == OpKind::Scan) groupOf(op->operand(0)).scans.push_back(op);
    if (op->isShapeView() || op->kind == OpKind::Reduce || op->kind == OpKind::Sort ||
        isPairing(op)) {
      Value *result = op->result(0);
      groupOf(op->operand(0)).neighbours.push_back(op);
      if (result->type.isTile() && representative(result) != representative(op->operand(0)))
        groupOf(result).neighbours.push_back(op);
    }
  });
}

}  // namespace tile2cu::passes
