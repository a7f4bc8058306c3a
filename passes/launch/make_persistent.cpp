#include "passes/launch/make_persistent.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// The number of programs. The launcher rejects negative factors and products that do not fit
// (grid_factors.h).
Value *product(Builder &b, llvm::ArrayRef<Value *> factors) {
  Value *result = factors.front();
  for (Value *factor : factors.drop_front())
    result = b.binary(OpKind::Mul, result, factor, "items");
  return result;
}

// A return directly in the new loop, or in branches in it, becomes a continue; in an inner loop it
// would have to leave two loops.
bool endRounds(Block &block, const Block &round, PassContext &context) {
  bool fits = true;
  std::vector<Op *> returns;
  walk(block, [&](Op *op) {
    if (op->kind == OpKind::Return) returns.push_back(op);
  });
  for (Op *op : returns) {
    for (Op *owner = op->parentOp(); owner && owner->parent != round.parent->parent;
         owner = owner->parentOp())
      if (owner->kind != OpKind::If) {
        context.diagnostics.report(DiagId::PersistentReturn, op->loc);
        fits = false;
      }
    Builder b = Builder::before(op);
    b.create(op->parent == &round ? OpKind::Yield : OpKind::Continue, {}, {});
    op->erase();
  }
  return fits;
}

// The operations after `first` that the launcher computes: requirements, and the operands of their
// conditions, in program order.
llvm::SmallVector<Op *, 8> launcherOps(Op *first) {
  llvm::SmallVector<Op *, 8> found;
  llvm::SmallPtrSet<const Op *, 8> members;
  auto isRead = [&](const auto &result) {
    return llvm::any_of(result->users, [&](Op *user) {
      return members.contains(ancestorIn(*first->parent, user));
    });
  };
  for (Op *op = first->parent->ops.back().get(); op != first; op = op->previous()) {
    if (op->kind != OpKind::Require && !llvm::any_of(op->results, isRead)) continue;
    members.insert(op);
    found.push_back(op);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

bool persist(Op *grid, PassContext &context) {
  Builder b = Builder::after(grid);
  llvm::SmallVector<Value *, 3> extents(grid->operands().begin(), grid->operands().end());
  Value *total = product(b, extents);
  if (total->name.empty()) total->name = "total";
  Op *first = b.create(OpKind::Grid, {total}, {Type(Scalar::I64)});
  first->setBool(Attr::persistent, true);
  Op *programs = b.create(OpKind::NumPrograms, {}, {Type(Scalar::I64)});
  programs->setInt(Attr::axis, 0);
  Op *loop = b.create(OpKind::For, {first->result(), total, programs->result()}, {});
  loop->set(Attr::compare, Compare::Lt);
  Block &round = *loop->addRegion();
  bool single = extents.size() == 1;
  Value *item = round.addArgument(Scalar::I64, single ? grid->result()->name : "item");

  // The ids along the grid's axes, x fastest.
  Builder inside(round);
  inside.loc = grid->loc;
  Value *rest = item;
  for (unsigned i = 0; i < extents.size(); ++i) {
    bool last = i + 1 == extents.size();
    Value *id = last ? rest : inside.binary(OpKind::Rem, rest, extents[i], grid->result(i)->name);
    if (last && !single) id->name = grid->result(i)->name;
    if (!last) rest = inside.binary(OpKind::Div, rest, extents[i]);
    grid->result(i)->replaceAllUsesWith(id);
  }
  grid->erase();
  // Values that the launcher computes stay before the loop; everything else moves into it.
  for (Op *op : launcherOps(loop)) op->moveBefore(loop);
  llvm::SmallVector<Op *, 16> body;
  for (Op *op = loop->next(); op; op = op->next()) body.push_back(op);
  Op *end = inside.yield({});
  for (Op *op : body) op->moveBefore(end);
  if (Op *last = end->previous(); last && last->kind == OpKind::Return) last->erase();
  return endRounds(round, round, context);
}

}  // namespace

llvm::LogicalResult make_persistent(Module &module, PassContext &context) {
  bool ok = true;
  for (Kernel &kernel : module.kernels) {
    Op *grid = kernel.options.persistent ? kernel.grid() : nullptr;
    if (grid && !grid->getBool(Attr::persistent))
      ok &= persist(grid, context);
    else
      kernel.options.persistent = false;  // its loop, if there is one, is the user's
  }
  return llvm::success(ok);
}

}  // namespace tile2cu::passes
