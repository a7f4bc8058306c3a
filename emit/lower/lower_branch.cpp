// Branches, and the results that they have in variables.
#include "emit/cuda/printer.h"
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/loops.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"
#include "emit/lower/tile_targets.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

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

static bool isTaken(const LoweringContext &ctx, const Op *branch, const Value *target) {
  return llvm::any_of(ctx.branchTargets, [&](const auto &known) {
    return known.first.first == branch && known.second == target;
  });
}

// The tile that one side of a branch hands on as it was and that nobody reads later: the other side
// writes over it.
static Value *branchTarget(const LoweringContext &ctx, const Op *op, unsigned i) {
  for (auto &region : op->regions) {
    Op *end = region->terminator();
    if (!end || end->kind != OpKind::Yield || !end->operand(i)->type.isTile()) continue;
    Value *value = end->operand(i);
    if (!ctx.values.isPlaced(value) || !hasOwnArray(value, op) || isTaken(ctx, op, value)) continue;
    const Storage &storage = ctx.values.storageOf(value);
    if (!storage.member.empty() || storage.oneVector || storage.axes) continue;
    if (value->type.layout()->str() != op->result(i)->type.layout()->str()) continue;
    if (llvm::all_of(value->users, [&](const Op *user) { return isInOrBefore(user, op); }))
      return value;
  }
  return nullptr;
}

// The side of a branch that computes nothing, and whose numbers its results can start with; null if
// there is none. Rather the second.
static const Block *quietSide(LoweringContext &ctx, const Op *branch) {
  for (const Block *side : {branch->region(1), branch->region(0)}) {
    const Op *end = side ? side->terminator() : nullptr;
    if (!end || end->kind != OpKind::Yield) continue;
    const bool isEmpty = llvm::all_of(side->ops, [&](auto &op) {
      return op.get() == end || op->kind == OpKind::Undefined || op->kind == OpKind::Constant;
    });
    if (isEmpty && llvm::all_of(end->operands(), [&](const Value *value) {
          return value->type.isTile() || scalar(ctx, value).isAtom();
        }))
      return side;
  }
  return nullptr;
}

// Whether this side of a branch leaves all its results as they are, or (`starts`) as the numbers
// that they start with.
static bool handsOnTargets(const LoweringContext &ctx, const Op *branch, const Op &yield,
                           bool starts) {
  for (unsigned i = 0; i < yield.numOperands(); ++i) {
    const Op *made = yield.operand(i)->definition;
    if (made && made->kind == OpKind::Undefined) continue;
    if (starts && !yield.operand(i)->type.isTile()) continue;
    auto target = ctx.branchTargets.find({branch, i});
    if (target == ctx.branchTargets.end() || target->second != yield.operand(i)) return false;
  }
  return true;
}

void lower(LoweringContext &ctx, const VoteAnyOp &vote) {
  const Storage &storage = ctx.values.stored(vote.condition());
  T2C_ASSERT(storage.member.empty());
  ctx.comments.statement(vote.op);
  const std::string &condition = vote.condition()->name;
  ctx.out.comment(
      "Skipped by a warp in which " + (condition.empty() ? "the condition" : condition) +
      (vote->getBool(Attr::of_parts) ? " holds for no lane's part." : " holds nowhere."));
  bindScalar(ctx, vote.op, vote->result(), call("tile2cu::warp_any", {named(storage.name)}), true);
}

void lower(LoweringContext &ctx, const ReturnOp &) { ctx.out.add(jump("return")); }

// The variable of a result: one from before that it is written over, or a new one, which starts as
// on the quiet side.
static Storage resultStorage(LoweringContext &ctx, const IfOp &branch, unsigned i,
                             const Block *quiet) {
  Value *result = branch->result(i);
  std::vector<Op *> readers;
  if (Value *target = branchTarget(ctx, branch.op, i)) {
    ctx.branchTargets[{branch.op, i}] = target;
    return ctx.values.storageOf(target);
  }
  const std::string wanted = result->name.empty() ? "chosen" : result->name;
  if (result->type.isTile()) {
    if (const Value *carried = carriedTarget(ctx, nullptr, branch.op, result, readers))
      return ctx.values.storageOf(carried);
    const Storage storage = makeStorage(ctx, result->type, wanted);
    ctx.out.add(declare(ctx, result->type, storage.name));
    return storage;
  }
  Storage storage;
  storage.name = ctx.names.take(wanted);
  ctx.variables.insert(storage.name);
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

// Whether nothing is written for this side of a branch.
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
  ctx.comments.statement(branch.op, headOf(*branchOn(condition).as<If>()));
  const Block *quiet = quietSide(ctx, branch.op);
  std::vector<Storage> results;
  for (unsigned i = 0; i < branch->numResults(); ++i) {
    results.push_back(resultStorage(ctx, branch, i, quiet));
    ctx.values.place(branch->result(i), results.back());
  }
  // A loop that begins in the branch writes both.
  if (!loopBegunBy(branch.op)) lowerSides(ctx, branch, condition, results, quiet);
  for (unsigned i = 0; i < branch->numResults(); ++i)
    if (!branch->result(i)->type.isTile())
      ctx.values.remember(branch->result(i), named(results[i].name));
}

}  // namespace tile2cu::emit
