// The results of a loop nest: their variables, and the comments above the loop nest.
#include "emit/lower/loop_nest.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/value/rematerializable.h"

namespace tile2cu::emit {
using namespace ir;

// The name of a result: the user's, or that of the dot whose accumulator it is at first.
static std::string nameOf(const Value *result) {
  if (!result->name.empty()) return result->name;
  const Op *user = result->users.size() == 1 ? result->users.front() : nullptr;
  const bool starts = user && user->kind == OpKind::DotShared && user->operand(0) == result;
  return starts && !user->result()->name.empty() ? user->result()->name : "tile";
}

// One value or vector a thread is declared where it is computed, other tiles above the loops.
static Storage newResult(LoopNest &nest, const Value *inner, const Value *outer) {
  LoweringContext &ctx = nest.ctx;
  const Storage storage =
      makeStorage(ctx, outer->type,
                  outer->name.empty() ? ctx.scalarNames.roleName(inner->definition) : outer->name);
  describeLayout(ctx, storage);
  const bool oneVector =
      !hasLoops(ctx, nest.layout, false) && nest.steps.isVectorAccess(inner->definition);
  if (storage.layout && (isOneVariable(ctx, *storage.layout) || oneVector))
    nest.undeclared.insert(inner);
  else
    ctx.out.add(declare(ctx, outer->type, storage.name));
  return storage;
}

// The variable of the tile that a result is written over, or one of its own.
static Storage resultStorage(LoopNest &nest, const Value *inner, const Value *outer) {
  LoweringContext &ctx = nest.ctx;
  const Value *shared = ctx.info.storage.sharedWith(outer);
  if (!shared) return newResult(nest, inner, outer);
  if (ctx.info.storage.isAssignedLast(outer)) nest.assignedLast.insert(inner);
  const Storage &storage = ctx.values.storageOf(shared);
  if (shared->definition && shared->definition == nest.op->parentOp()) describeLayout(ctx, storage);
  return storage;
}

void prepareResults(LoopNest &nest) {
  const Op *yield = nest.op->region()->terminator();
  for (unsigned i = 0; i < yield->numOperands(); ++i) {
    const Value *inner = yield->operand(i);
    const Value *outer = nest.op->result(i);
    if (inner->definition->kind == OpKind::ReduceThread) continue;  // declared with its start value
    const Storage storage = resultStorage(nest, inner, outer);
    nest.ctx.values.place(inner, storage);
    nest.ctx.values.place(outer, storage);
  }
}

bool declareWith(LoopNest &nest, const Value *value, const Expr &e) {
  LoweringContext &ctx = nest.ctx;
  if (!nest.undeclared.erase(value)) return false;
  ctx.out.add(variable(typeOf(value->type), ctx.values.storageOf(value).name, e));
  return true;
}

void statementComments(LoweringContext &ctx, const Op *nest) {
  for (auto &op : nest->region()->ops) {
    bool interesting = !passes::isRematerializable(op.get()) && op->kind != OpKind::Yield;
    if (op->kind == OpKind::ReduceThread && op->getBool(Attr::role_named)) {
      ctx.comments.reduction(op.get());
      continue;
    }
    // An index or mask is printed under its name, close to what the user wrote: only a comment of
    // theirs is kept.
    const Statement *statement = ctx.comments.statementOf(op->loc.statement);
    bool explained = statement && !statement->comment.empty();
    if (interesting || (explained && op->numResults() == 1 && !op->result()->name.empty() &&
                        wantsLocal(op->result())))
      ctx.comments.statement(op.get());
  }
}

// Whether the loop nest makes new tiles of one value each and does nothing else.
static bool fillsTiles(const LoopNest &nest) {
  const Op *yield = nest.op->region()->terminator();
  for (auto &inner : nest.op->region()->ops)
    if (inner.get() != yield && inner->kind != OpKind::Splat) return false;
  if (isOneVariable(nest.ctx, nest.layout) || yield->numOperands() == 0) return false;
  for (unsigned i = 0; i < yield->numOperands(); ++i)
    if (!nest.isInside(yield->operand(i)->definition) ||
        nest.ctx.info.storage.sharedWith(nest.op->result(i)))
      return false;
  return true;
}

bool fillNest(LoopNest &nest) {
  if (!fillsTiles(nest)) return false;
  LoweringContext &ctx = nest.ctx;
  const Op *yield = nest.op->region()->terminator();
  for (unsigned i = 0; i < yield->numOperands(); ++i) {
    const Value *outer = nest.op->result(i);
    const Storage storage = makeStorage(ctx, outer->type, nameOf(outer));
    describeLayout(ctx, storage);
    const Expr value = scalar(ctx, yield->operand(i)->definition->operand(0));
    const bool zero = isZero(value);
    ctx.out.add(declare(ctx, outer->type, storage.name, zero ? braces({}, {}) : Expr{}));
    if (!zero) {
      ctx.out.add(evaluate(call("tile2cu::fill", {named(storage.name), value})));
      ctx.names.change(storage.name);
    }
    ctx.values.place(outer, storage);
  }
  return true;
}

}  // namespace tile2cu::emit
