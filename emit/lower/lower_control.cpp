// Loops and branches. Carried values are variables that every iteration writes again.
#include <algorithm>

#include "emit/cuda/printer.h"
#include "emit/lower/loops.h"
#include "emit/lower/lowerings.h"
#include "emit/lower/scalars.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// The variable of what a loop carries, which starts as `init`: a new one, or that of `init`.
static Storage carriedStorage(LoweringContext &ctx, const Value *carried, Value *init,
                              const std::string &name) {
  const bool isShared = ctx.info.storage.sharedWith(carried);
  if (init->type.isTile()) {
    const Storage &from = ctx.values.stored(init);
    if (isShared) return from;
    Storage storage = makeStorage(ctx, init->type, name);
    if (isOneVariable(ctx, *init->type.layout())) {
      const Vars zeros(8, integer(0));
      ctx.out.add(declare(ctx, init->type, storage.name, storageRef(ctx, from, zeros)));
    } else {
      ctx.out.add(declare(ctx, init->type, storage.name));
      copyStorage(ctx, storage, from);
    }
    return storage;
  }
  Expr start = scalar(ctx, init);
  Storage storage;
  if (isShared) {
    T2C_ASSERT(start.isName());
    storage.name = start.symbol();
    return storage;
  }
  storage.name = ctx.names.take(name.empty() ? "carried" : name);
  ctx.out.add(variable(typeOf(init->type), storage.name, start));
  return storage;
}

// The tile, of which the text copies the registers. No pass may leave a dot in flight that writes
// to them.
static const Storage &copiedStorage(LoweringContext &ctx, const Value *value) {
  const Op *op = value->definition;
  T2C_ASSERT(!op || op->kind != OpKind::DotShared || !op->getBool(Attr::async));
  return ctx.values.stored(value);
}

void assignCarried(LoweringContext &ctx, llvm::ArrayRef<Storage> targets,
                   llvm::ArrayRef<Value *> values) {
  Vars next;
  for (Value *value : values)
    next.push_back(value->type.isTile() ? named(ctx.values.storageOf(value).name)
                                        : scalar(ctx, value));
  auto isThere = [&](size_t i) { return next[i].isName(targets[i].name); };
  std::vector<Storage> saved(values.size());
  std::vector<bool> isSaved(values.size(), false);
  for (size_t i = 0; i < values.size(); ++i) {
    bool clash = false;
    for (size_t j = 0; j < i; ++j) clash |= !isThere(j) && mentions(next[i], targets[j].name);
    isSaved[i] = clash && !isThere(i);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (!isSaved[i]) continue;
    saved[i] = targets[i];
    saved[i].name = ctx.names.take("next_" + targets[i].name.wanted().str());
    if (values[i]->type.isTile()) {
      saved[i] = storageNamed(ctx, values[i]->type, saved[i].name);
      ctx.out.add(declare(ctx, values[i]->type, saved[i].name));
      copyStorage(ctx, saved[i], copiedStorage(ctx, values[i]));
    } else {
      ctx.out.declareConstant(typeOf(values[i]->type), saved[i].name, next[i]);
    }
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (isThere(i)) continue;
    if (values[i]->type.isTile()) {
      copyStorage(ctx, targets[i], isSaved[i] ? saved[i] : copiedStorage(ctx, values[i]));
    } else {
      ctx.out.assign(named(targets[i].name),
                     isSaved[i] ? named(saved[i].name) : scalar(ctx, values[i]));
    }
  }
}

void assignResults(LoweringContext &ctx, llvm::ArrayRef<Storage> results, const Op &yield) {
  std::vector<Storage> targets;
  std::vector<Value *> values;
  for (unsigned i = 0; i < yield.numOperands(); ++i) {
    Value *value = yield.operand(i);
    if (value->definition && value->definition->kind == OpKind::Undefined) continue;
    targets.push_back(results[i]);
    values.push_back(value);
  }
  assignCarried(ctx, targets, values);
}

// Opens the branch before a loop that tests whether the loop has an iteration, and writes the first
// part of that iteration. The text tests once for both.
static void openEntry(LoweringContext &ctx, const Op *entry) {
  ctx.out.open(branchOn(scalar(ctx, entry->operand(0))));
  ctx.names.open();
  lowerBlock(ctx, *entry->region(0));
  assignResults(ctx, {ctx.values.storageOf(entry->result())}, *entry->region(0)->terminator());
  ctx.values.hold(entry->result());
}

static void closeEntry(LoweringContext &ctx) {
  ctx.out.close();
  ctx.names.close();
}

// The bounds that the head of a loop mentions. Each iteration reads them.
struct Bounds {
  Remembered begin, end, step;
  Range range() const { return {begin.expr, end.expr, step.expr}; }
};

// A bound; one widened to the type of the loop's variable needs no cast.
static Remembered bound(LoweringContext &ctx, const ForOp &loop, const Value *value) {
  const Op *cast = value->definition;
  const bool widens = loop.variable()->type.scalar() == Scalar::I64 && cast &&
                      cast->kind == OpKind::Cast && isSigned(cast->operand(0)->type.scalar()) &&
                      !scalar(ctx, value).isAtom();
  return ctx.values.remembered(scalar(ctx, widens ? cast->operand(0) : value));
}

static LoopHead makeHead(LoweringContext &ctx, const ForOp &loop, const Symbol &var,
                         const Bounds &bounds) {
  LoopHead head = isCounted(loop) ? countedHead(ctx, loop, var, bounds.range())
                                  : usualHead(ctx, loop, var, bounds.range());
  ctx.comments.statement(loop.op, true);
  if (loop->getBool(Attr::runs)) {
    const Expr hasStep = binary(Prec::Relational, ">", bounds.end.expr, bounds.begin.expr);
    ctx.out.add(evaluate(call("__builtin_assume", {hasStep}), "checked: there is an iteration"));
  }
  if (loop->has(Attr::unroll))
    head.loop.unroll = loop->getInt(Attr::unroll) > 0
                           ? "unroll " + std::to_string(loop->getInt(Attr::unroll))
                           : "unroll";
  return head;
}

static void rememberCarried(LoweringContext &ctx, const Value *value, const Storage &variable) {
  if (!value->type.isTile()) ctx.values.remember(value, named(variable.name));
}

// The loop from its head to its end.
static void lowerSteps(LoweringContext &ctx, const ForOp &loop, LoopHead head, const Symbol &var,
                       const Bounds &bounds, const std::vector<Storage> &carried) {
  const Value *iv = loop.variable();
  ctx.out.open({std::move(head.loop)});
  if (head.index) ctx.out.declareScalar(typeOf(iv->type), var, head.index);
  ctx.values.remember(iv, named(var));
  ctx.loops.push_back({carried, carried});
  startLoop(ctx, ctx.loops.back());
  if (isCounted(loop)) ctx.values.requireCurrent(loop.lower(), bounds.begin.reads);
  ctx.values.requireCurrent(loop.upper(), bounds.end.reads);
  ctx.values.requireCurrent(loop.step(), bounds.step.reads);
  for (unsigned i = 0; i < loop.numCarried(); ++i) {
    ctx.values.hold(loop.carried(i));
    rememberCarried(ctx, loop.carried(i), carried[i]);
  }
  lowerBlock(ctx, loop.body());
  if (const Op *last = loop.body().terminator(); last && last->kind == OpKind::Yield)
    assignCarried(ctx, carried, last->operands());
  endLoop(ctx, ctx.loops.back());
  ctx.loops.pop_back();
  for (unsigned i = 0; i < loop.numCarried(); ++i) rememberCarried(ctx, loop.result(i), carried[i]);
  ctx.out.close();
}

void lower(LoweringContext &ctx, const ForOp &loop) {
  std::vector<Storage> carried;
  for (unsigned i = 0; i < loop.numCarried(); ++i) {
    const std::string &own = loop.carried(i)->name;
    carried.push_back(carriedStorage(ctx, loop.carried(i), loop.init(i),
                                     !own.empty() ? own : loop.result(i)->name));
    ctx.values.place(loop.carried(i), carried.back());
    ctx.values.place(loop.result(i), carried.back());
  }
  const std::string &known = loop.variable()->name;
  const std::string name = known.empty() ? "step" : known;
  const bool counts = isCounted(loop);
  Bounds bounds;
  if (counts) {
    ctx.comments.statement(loop.op);
    bounds.begin = ctx.values.remembered(namedBound(ctx, loop.lower(), name + "_begin"));
    bounds.end = ctx.values.remembered(namedBound(ctx, loop.upper(), name + "_end"));
  }
  ctx.names.open();
  const Symbol var = ctx.names.take(name);
  bounds.step = ctx.values.remembered(scalar(ctx, loop.step()));
  const Op *const entry = entryOf(loop.op);
  if (entry) openEntry(ctx, entry);
  if (!counts) {
    bounds.begin = bound(ctx, loop, loop.lower());
    bounds.end = bound(ctx, loop, loop.upper());
  }
  LoopHead head = makeHead(ctx, loop, var, bounds);
  // The loop that starts the copies of the first iterations. The addresses that it advances are
  // declared above the section, because they are used after it.
  const bool isPrologue = loop->getBool(Attr::prologue) && !passes::isInLocalFunction(loop.op);
  if (isPrologue) {
    ctx.out.blank();
    ctx.out.openPart(kPrologue);
    ctx.out.comment("Prologue: starts the first iterations' copies.");
  }
  lowerSteps(ctx, loop, std::move(head), var, bounds, carried);
  if (isPrologue) ctx.out.closePart();
  ctx.names.close();
  if (entry) closeEntry(ctx);
}

// The variable that has a result of a `while` after the loop: one that the loop carries, one that
// is assigned where the loop is left, or one that has the value from before the loop. It has no
// name if nothing reads the result.
static std::vector<Storage> whileResults(LoweringContext &ctx, const WhileOp &loop,
                                         llvm::ArrayRef<Storage> carried) {
  const Op *condition = loop->region(0)->terminator();
  std::vector<Storage> results(loop->numResults());
  for (unsigned i = 0; i < results.size(); ++i) {
    const Value *result = loop->result(i);
    if (result->unused()) continue;
    if (const Value *shared = ctx.info.storage.sharedWith(result)) {
      results[i] = carried[shared->index];
    } else if (result->type.isTile()) {
      results[i] = makeStorage(ctx, result->type, result->name);
      ctx.out.add(declare(ctx, result->type, results[i].name));
    } else {
      results[i].name = ctx.names.take(result->name.empty() ? "result" : result->name);
      const Value *passed = condition->operand(1 + i);
      ctx.out.add(variable(typeOf(result->type), results[i].name,
                           passes::isKnownBefore(loop.op, passed) ? scalar(ctx, passed) : Expr{}));
    }
  }
  return results;
}

void assignAtExit(LoweringContext &ctx, const LoopVariables &loop, llvm::ArrayRef<Value *> values) {
  std::vector<Storage> targets;
  std::vector<Value *> read;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!loop.results[i].name || !values[i]) continue;
    targets.push_back(loop.results[i]);
    read.push_back(values[i]);
  }
  assignCarried(ctx, targets, read);
}

// The test at the head of a `while`, and the statements that compute it and what it leaves with.
struct WhileHead {
  Stmts statements;  // of the region that tests
  Expr test;
  Stmts leaving;  // assign what the head computes and is read after the loop
};

// The condition as one expression, if its region needs no statement.
static WhileHead lowerHead(LoweringContext &ctx, const WhileOp &loop, LoopVariables &variables) {
  const Block &before = *loop->region(0);
  const Op *condition = before.terminator();
  T2C_ASSERT(condition && condition->kind == OpKind::Condition);
  WhileHead head;
  ctx.out.begin();
  lowerBlock(ctx, before);
  head.statements = ctx.out.end();
  ctx.out.begin();
  head.test = scalar(ctx, condition->operand(0));
  std::vector<Value *> computed(condition->operands().begin() + 1, condition->operands().end());
  for (Value *&value : computed)
    if (passes::isKnownBefore(loop.op, value)) value = nullptr;
  const Names::Place exit = ctx.names.place();
  assignAtExit(ctx, variables, computed);
  variables.changedAtExits = ctx.names.takeBack(exit);
  head.leaving = ctx.out.end();
  return head;
}

// The values that the test hands on to the body.
static void bindPassed(LoweringContext &ctx, const WhileOp &loop, const LoopVariables &variables) {
  const Op *condition = loop->region(0)->terminator();
  for (unsigned i = 0; i < loop->numResults(); ++i) {
    const Value *passed = condition->operand(1 + i), *argument = loop->region(1)->argument(i);
    if (passed->type.isTile()) {
      ctx.values.place(argument, ctx.values.stored(passed));
      ctx.values.hold(argument);
    } else {
      ctx.values.remember(argument, scalar(ctx, passed));
    }
    if (variables.results[i].name) ctx.values.place(loop->result(i), variables.results[i]);
  }
}

// Opens the loop: while (test), or for (;;) that begins with the statements of the head.
static void openWhile(LoweringContext &ctx, const WhileOp &loop, WhileHead &head, bool isPlain) {
  if (isPlain) {
    While plain;
    plain.condition = head.test;
    ctx.comments.statement(loop.op, true);
    ctx.out.open({std::move(plain)});
    return;
  }
  ctx.comments.statement(loop.op);
  ctx.out.open({For{}});
  ctx.out.append(std::move(head.statements));
  if (head.leaving.empty()) {
    ctx.out.add(shortIf(unary("!", head.test), jump("break")));
  } else {
    ctx.out.open(branchOn(unary("!", head.test)));
    ctx.out.append(head.leaving);
    ctx.out.add(jump("break"));
    ctx.out.close();
  }
}

void lower(LoweringContext &ctx, const WhileOp &loop) {
  const Block &before = *loop->region(0), &body = *loop->region(1);
  LoopVariables variables;
  for (unsigned i = 0; i < loop->numOperands(); ++i) {
    const std::string name = !before.argument(i)->name.empty() ? before.argument(i)->name
                             : i < body.arguments.size()       ? body.argument(i)->name
                                                               : "";
    variables.next.push_back(carriedStorage(ctx, before.argument(i), loop->operand(i), name));
    ctx.values.place(before.argument(i), variables.next.back());
  }
  variables.results = whileResults(ctx, loop, variables.next);
  startLoop(ctx, variables);
  for (unsigned i = 0; i < loop->numOperands(); ++i) {
    ctx.values.hold(before.argument(i));
    rememberCarried(ctx, before.argument(i), variables.next[i]);
  }
  ctx.names.open();
  WhileHead head = lowerHead(ctx, loop, variables);
  bindPassed(ctx, loop, variables);
  // The head computes only the condition, so the loop's results can be computed after the loop.
  const bool isPlain = head.statements.empty() &&
                       (head.leaving.empty() || passes::exitsOf(loop.op, true, false).empty());
  openWhile(ctx, loop, head, isPlain);
  ctx.loops.push_back(variables);
  lowerBlock(ctx, body);
  if (const Op *end = body.terminator(); end && end->kind == OpKind::Yield)
    assignCarried(ctx, variables.next, end->operands());
  endLoop(ctx, ctx.loops.back());
  ctx.loops.pop_back();
  for (unsigned i = 0; i < loop->numResults(); ++i)
    if (variables.results[i].name) rememberCarried(ctx, loop->result(i), variables.results[i]);
  ctx.out.close();
  if (isPlain) ctx.out.append(std::move(head.leaving));
  ctx.names.close();
}

}  // namespace tile2cu::emit
