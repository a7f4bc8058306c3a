// Branches, and the results that they have in variables.
#include "emit/cuda/printer.h"
#include "emit/lower/loops.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

void lower(LoweringContext &ctx, const VoteAnyOp &vote) {
  const Storage &storage = ctx.values.stored(vote.condition());
  T2C_ASSERT(storage.member.empty());
  ctx.comments.statement(vote.op);
  const std::string &condition = vote.condition()->name;
  ctx.out.comment("Warp-uniform: skipped unless " +
                  (condition.empty() ? "the condition" : condition) +
                  (vote->getBool(Attr::of_parts) ? " holds in some lane." : " holds somewhere."));
  bindScalar(ctx, vote.op, vote->result(), call("tile2cu::warp_any", {named(storage.name)}), true);
}

void lower(LoweringContext &ctx, const ReturnOp &) { ctx.out.add(jump("return")); }

// The variable of a result: an existing one that the result overwrites, or a new one, which both
// sides assign (joinVariables and tidyBranches make that shorter).
static Storage resultStorage(LoweringContext &ctx, const IfOp &branch, unsigned i) {
  const Value *result = branch->result(i);
  if (const Value *shared = ctx.info.storage.sharedWith(result))
    return ctx.values.storageOf(shared);
  const std::string wanted = result->name.empty() ? "chosen" : result->name;
  if (result->type.isTile()) {
    const Storage storage = makeStorage(ctx, result->type, wanted);
    ctx.out.add(declare(ctx, result->type, storage.name));
    return storage;
  }
  Storage storage;
  storage.name = ctx.names.take(wanted);
  ctx.out.add(variable(typeOf(result->type), storage.name));
  return storage;
}

static void lowerSide(LoweringContext &ctx, const Block &side, llvm::ArrayRef<Storage> results,
                      Sides &sides) {
  ctx.names.open();
  lowerBlock(ctx, side);
  const Op *end = side.terminator();
  if (end && end->kind == OpKind::Yield) assignResults(ctx, results, *end);
  if (end && end->kind == OpKind::Break) {
    assignAtExit(ctx, ctx.loops.back(), end->operands());
    ctx.out.add(jump("break"));
  }
  if (end && end->kind == OpKind::Continue) {
    assignCarried(ctx, ctx.loops.back().next, end->operands());
    ctx.out.add(jump("continue"));
  }
  ctx.names.close();
  endSide(ctx, sides, side);
}

static void lowerSides(LoweringContext &ctx, const IfOp &branch, const Expr &condition,
                       llvm::ArrayRef<Storage> results) {
  Sides sides{ctx.names.place()};
  if (branch->has(Attr::reason)) ctx.out.comment(branch->getString(Attr::reason));
  ctx.out.open(branchOn(condition));
  lowerSide(ctx, *branch->region(0), results, sides);
  if (const Block *second = branch->region(1)) {
    ctx.out.openElse();
    lowerSide(ctx, *second, results, sides);
  }
  ctx.out.close();
  endSides(ctx, sides);
}

void lower(LoweringContext &ctx, const IfOp &branch) {
  const Expr condition = scalar(ctx, branch.condition());
  ctx.comments.statement(branch.op, true);
  std::vector<Storage> results;
  for (unsigned i = 0; i < branch->numResults(); ++i) {
    results.push_back(resultStorage(ctx, branch, i));
    ctx.values.place(branch->result(i), results.back());
  }
  // A branch that holds the start of a loop is written with the loop (entryOf).
  if (!loopBegunBy(branch.op)) lowerSides(ctx, branch, condition, results);
  for (unsigned i = 0; i < branch->numResults(); ++i)
    if (!branch->result(i)->type.isTile())
      ctx.values.remember(branch->result(i), named(results[i].name));
}

}  // namespace tile2cu::emit
