// Branches, and the results that they have in variables.
#include "emit/cuda/printer.h"
#include "emit/lower/loops.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// The side of a branch that computes nothing, whose values can initialize the results; null if
// there is none. The second side is preferred.
static const Block *quietSide(LoweringContext &ctx, const Op *branch) {
  for (const Block *side : {branch->region(1), branch->region(0)}) {
    const Op *end = side ? side->terminator() : nullptr;
    if (!end || end->kind != OpKind::Yield) continue;
    const bool isEmpty = llvm::all_of(side->ops, [&](auto &op) {
      return op.get() == end || op->kind == OpKind::Undefined || op->kind == OpKind::Constant;
    });
    if (isEmpty && llvm::all_of(end->operands(), [&](const Value *value) {
          if (value->type.isTile()) return true;
          const bool isUndefined =
              value->definition && value->definition->kind == OpKind::Undefined;
          return !isUndefined && scalar(ctx, value).isAtom();
        }))
      return side;
  }
  return nullptr;
}

// Whether this side of a branch leaves all results unchanged, or, with `starts`, at their initial
// values.
static bool handsOnTargets(const LoweringContext &ctx, const Op *branch, const Op &yield,
                           bool starts) {
  for (unsigned i = 0; i < yield.numOperands(); ++i) {
    const Op *made = yield.operand(i)->definition;
    if (made && made->kind == OpKind::Undefined) continue;
    if (starts && !yield.operand(i)->type.isTile()) continue;
    if (ctx.info.storage.sharedWith(branch->result(i)) != yield.operand(i)) return false;
  }
  return true;
}

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

// The variable of a result: an existing one that the result overwrites, or a new one, which is
// initialized with the value of the side that computes nothing.
static Storage resultStorage(LoweringContext &ctx, const IfOp &branch, unsigned i,
                             const Block *quiet) {
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
  ctx.out.add(variable(typeOf(result->type), storage.name,
                       quiet ? scalar(ctx, quiet->terminator()->operand(i)) : Expr{}));
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

// Whether this side of a branch has no statements.
static bool isIdle(const LoweringContext &ctx, const IfOp &branch, const Block *side,
                   const Block *quiet) {
  if (!side || side->empty()) return true;
  const Op *end = side->back();
  return end->kind == OpKind::Yield && handsOnTargets(ctx, branch.op, *end, side == quiet) &&
         llvm::all_of(side->ops, [&](auto &inner) {
           return inner.get() == end || inner->kind == OpKind::Undefined ||
                  (side == quiet && inner->kind == OpKind::Constant);
         });
}

static void lowerSides(LoweringContext &ctx, const IfOp &branch, const Expr &condition,
                       llvm::ArrayRef<Storage> results, const Block *quiet) {
  const Block *const first = branch->region(0), *const second = branch->region(1);
  Sides sides{ctx.names.place()};
  const bool isSecondIdle = isIdle(ctx, branch, second, quiet);
  if (isIdle(ctx, branch, first, quiet) && !isSecondIdle) {
    ctx.out.open(branchOn(unary("!", condition)));
    lowerSide(ctx, *second, results, sides);
  } else {
    if (branch->has(Attr::reason)) ctx.out.comment(branch->getString(Attr::reason));
    ctx.out.open(branchOn(condition));
    lowerSide(ctx, *first, results, sides);
    if (!isSecondIdle) {
      ctx.out.openElse();
      lowerSide(ctx, *second, results, sides);
    }
  }
  ctx.out.close();
  endSides(ctx, sides);
}

void lower(LoweringContext &ctx, const IfOp &branch) {
  const Expr condition = scalar(ctx, branch.condition());
  ctx.comments.statement(branch.op, true);
  const Block *quiet = quietSide(ctx, branch.op);
  std::vector<Storage> results;
  for (unsigned i = 0; i < branch->numResults(); ++i) {
    results.push_back(resultStorage(ctx, branch, i, quiet));
    ctx.values.place(branch->result(i), results.back());
  }
  // A branch that holds the start of a loop is written with the loop (entryOf).
  if (!loopBegunBy(branch.op)) lowerSides(ctx, branch, condition, results, quiet);
  for (unsigned i = 0; i < branch->numResults(); ++i)
    if (!branch->result(i)->type.isTile())
      ctx.values.remember(branch->result(i), named(results[i].name));
}

}  // namespace tile2cu::emit
