#include "passes/reduce/localize_reductions.h"

#include <cmath>

#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/rewrite/padding.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The kind of reduction that an accumulation with this operation continues.
std::optional<ReduceKind> kindOf(const Op *op) {
  const bool hasNan = op->getBool(Attr::propagate_nan);
  switch (op->kind) {
    case OpKind::Add:
      return ReduceKind::Sum;
    case OpKind::Mul:
      return ReduceKind::Prod;
    case OpKind::Maximum:
      return hasNan ? ReduceKind::MaxNan : ReduceKind::Max;
    case OpKind::Minimum:
      return hasNan ? ReduceKind::MinNan : ReduceKind::Min;
    default:
      return std::nullopt;
  }
}

bool onlyUsedBy(const Value *value, const Op *user) {
  return value->users.size() == 1 && value->users[0] == user;
}

// The carried value `i` of `loop` in the form acc = acc <op> reduce_across(...), if nothing else
// uses it.
struct Accumulation {
  Op *combine = nullptr;
  Op *across = nullptr;
};
std::optional<Accumulation> accumulation(Op *loop, unsigned i) {
  Block &body = *loop->region();
  Op *yield = body.terminator();
  Value *carried = ForOp(loop).carried(i);
  Op *combine = yield->operand(i)->definition;
  if (!combine || combine->parent != &body || !onlyUsedBy(combine->result(), yield))
    return std::nullopt;
  if (!onlyUsedBy(carried, combine)) return std::nullopt;
  const auto kind = kindOf(combine);
  if (!kind) return std::nullopt;
  Value *other = combine->operand(0) == carried ? combine->operand(1) : combine->operand(0);
  Op *across = other->definition;
  if (!across || across->kind != OpKind::ReduceAcross || across->parent != &body ||
      across->numOperands() != 1 || across->get(Attr::kind) != kind || !onlyUsedBy(other, combine))
    return std::nullopt;
  return Accumulation{combine, across};
}

bool hasEarlyExit(Op *loop) {
  bool found = false;
  walk(*loop->region(),
       [&](Op *op) { found |= op->kind == OpKind::Break || op->kind == OpKind::Continue; });
  return found;
}

// Whether more than one thread takes part.
bool reducesAcrossThreads(const Op *across) {
  const Layout &layout = *across->operand(0)->type.layout();
  const unsigned axis = across->getInt(Attr::axis);
  return layout.extentAlong(axis, Unit::Lane) > 1 || layout.extentAlong(axis, Unit::Warp) > 1;
}

bool isInLoop(const Op *op) {
  for (op = op->parentOp(); op; op = op->parentOp())
    if (isLoop(op)) return true;
  return false;
}

// Whether the value from before the loop is +0, to which nothing needs to be added.
bool startsFromZero(const Value *init, const Op *combine) {
  const auto constant = constantDouble(init);
  return combine->kind == OpKind::Add && constant == 0.0 && !std::signbit(*constant);
}

// Whether the value from before the loop, combined with the identity, is that value again. Floats
// have exceptions: -0 + 0 is 0, and the maximum of NaN and -inf is -inf.
bool keepsValue(const Value *init, const Op *combine) {
  if (!isFloat(init->type.scalar()) || combine->kind == OpKind::Mul ||
      combine->getBool(Attr::propagate_nan))
    return true;
  const auto constant = constantDouble(init);
  if (!constant) return false;
  return combine->kind == OpKind::Add ? !(*constant == 0.0 && std::signbit(*constant))
                                      : !std::isnan(*constant);
}

// Whether there is an iteration, as a value that chooses one of two of type `like`.
Value *runsAtAll(Builder &b, Op *loop, const Type &like) {
  const ForOp counted(loop);
  Value *runs = b.binary(kindOf(counted.compare()), counted.lower(), counted.upper());
  return like.isTile() ? b.splat(runs, like.shape(), like.layout()) : runs;
}

void localize(Op *loop, unsigned i, Accumulation found) {
  Value *partial = found.across->operand(0), *init = ForOp(loop).init(i), *result = loop->result(i);
  Value *carried = ForOp(loop).carried(i);
  Type whole = result->type;

  Builder before = Builder::before(loop);
  Value *identity = identityOf(before, *kindOf(found.combine), partial->type.scalar());
  Value *start = before.splat(identity, partial->type.shape(), partial->type.layout());
  start->name = !carried->name.empty() ? carried->name : result->name;
  ForOp(loop).setInit(i, start);
  carried->type = partial->type;

  Builder inside = Builder::before(found.combine);
  Op *combine = inside.create(found.combine->kind, {carried, partial}, {partial->type},
                              found.combine->result()->name);
  combine->attributes = found.combine->attributes;
  found.combine->result()->replaceAllUsesWith(combine->result());

  // After the loop, the results of the threads are reduced, and then combined with the value from
  // before the loop.
  Builder after = Builder::after(loop);
  after.loc = found.across->loc;
  result->type = partial->type;
  Op *across = after.create(OpKind::ReduceAcross, {}, {found.across->result()->type}, result->name);
  across->attributes = found.across->attributes;
  Value *total = across->result();
  if (!startsFromZero(init, found.combine)) {
    Op *join = after.create(found.combine->kind, {init, total}, {whole}, result->name);
    join->attributes = found.combine->attributes;
    total = join->result();
    if (!keepsValue(init, found.combine) && !runsAtLeastOnce(loop))
      total = after.select(runsAtAll(after, loop, whole), total, init, result->name);
  }
  result->replaceAllUsesWith(total);
  across->addOperand(result);
  found.combine->erase();
  found.across->erase();
}

}  // namespace

llvm::LogicalResult localize_reductions(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    auto say = [&](DiagId id, const Op *across) {
      const auto kind = across->get(Attr::kind);
      context.diagnostics.decided(id, kernel, across->loc,
                                  {kind ? wordOf(*kind).str() : "reduction"});
    };
    walkPostOrder(kernel.body, [&](Op *op) {
      if (op->kind != OpKind::For || hasEarlyExit(op)) return;
      for (unsigned i = 0; i < op->numResults(); ++i)
        if (auto found = accumulation(op, i)) {
          say(DiagId::ReductionLocal, found->across);
          localize(op, i, *found);
        }
    });
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::ReduceAcross && reducesAcrossThreads(op) && isInLoop(op))
        say(DiagId::ReductionInLoop, op);
    });
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
