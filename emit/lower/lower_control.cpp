// Loops and branches. Carried values are variables that every iteration writes again.
#include <algorithm>

#include "emit/cuda/printer.h"
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "emit/transform/outline_functions.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

// Whether nobody reads `value` behind `op`, its one user: no loop around `op` alone comes back to it.
static bool isUsedUp(const Value *value, const Op *op) {
  return value->users.size() == 1 &&
         passes::loopAround(value->home()) == passes::loopAround(op->parent);
}

// A variable of `loop` that starts as `init`; an array that nobody else reads is taken over instead of copied.
KernelEmitter::Storage KernelEmitter::carriedStorage(const Op *loop, Value *init,
                                                     const std::string &name) {
  if (init->type.isTile()) {
    const Storage &from = stored(init);
    if (isUsedUp(init, loop) && from.member.empty() && !from.oneVector && !from.axes) return from;
    Storage storage = makeStorage(init->type, name);
    if (isOneVariable(*init->type.layout())) {
      const Vars zeros(8, integer(0));
      add(declare(init->type, storage.name, storageRef(from, zeros)));
    } else {
      add(declare(init->type, storage.name));
      copyStorage(storage, from);
    }
    return storage;
  }
  Expr start = scalar(init);
  Storage storage;
  // A loop that goes on with the variable of the one before.
  if (init->definition && init->definition->kind == OpKind::For && isUsedUp(init, loop) &&
      start.isName() && variables_.count(start.spelling())) {
    storage.name = start.spelling();
    return storage;
  }
  storage.name = names_.take(name.empty() ? "carried" : name);
  variables_.insert(storage.name);
  add(variable(typeOf(init->type), storage.name, start));
  return storage;
}

// The variables take their next values all at once: a value that is another of the variables is saved first.
void KernelEmitter::assignCarried(llvm::ArrayRef<Storage> targets, llvm::ArrayRef<Value *> values) {
  Vars next;
  for (Value *value : values)
    next.push_back(value->type.isTile() ? named(storage_.at(value).name) : scalar(value));
  auto isThere = [&](size_t i) { return next[i].is(ExprKind::Name, targets[i].name); };
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
    saved[i].name = names_.take("next_" + targets[i].name);
    if (values[i]->type.isTile()) {
      add(declare(values[i]->type, saved[i].name));
      saved[i].isVector = usesVec(*values[i]->type.layout());
      copyStorage(saved[i], stored(values[i]));
    } else {
      declareConstant(typeOf(values[i]->type), saved[i].name, next[i]);
    }
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (isThere(i)) continue;
    if (values[i]->type.isTile()) {
      copyStorage(targets[i], isSaved[i] ? saved[i] : stored(values[i]));
    } else {
      assign(named(targets[i].name), isSaved[i] ? named(saved[i].name) : scalar(values[i]));
    }
  }
}

void KernelEmitter::forLoop(Op *op) {
  Block &body = *op->region();
  std::vector<Storage> carried;
  for (unsigned i = 0; i < op->numResults(); ++i) {
    Value *argument = ForOp(op).carried(i), *init = ForOp(op).init(i);
    std::string name = !argument->name.empty() ? argument->name : op->result(i)->name;
    carried.push_back(carriedStorage(op, init, name));
    storage_[argument] = storage_[op->result(i)] = carried.back();
  }
  Value *iv = ForOp(op).variable();
  const std::string name = iv->name.empty() ? "step" : iv->name;
  const bool counts = isCounted(op);
  Remembered beginThere, endThere;
  if (counts) {
    statementComment(op);
    beginThere = remembered(namedBound(ForOp(op).lower(), name + "_begin"));
    endThere = remembered(namedBound(ForOp(op).upper(), name + "_end"));
  }
  names_.open();
  const std::string var = names_.take(name);
  const Remembered stepThere = remembered(scalar(ForOp(op).step()));
  // A bound widened to the type of the loop's variable needs no cast.
  auto bound = [&](const Value *value) {
    const Op *cast = value->definition;
    bool widens = iv->type.scalar() == Scalar::I64 && cast && cast->kind == OpKind::Cast &&
                  isSigned(cast->operand(0)->type.scalar()) && !scalar(value).isAtom();
    return scalar(widens ? cast->operand(0) : value);
  };
  Op *const entry = entryOf(op);
  if (entry) openEntry(entry);
  if (!counts) {
    beginThere = remembered(bound(ForOp(op).lower()));
    endThere = remembered(bound(ForOp(op).upper()));
  }
  const Expr &begin = beginThere.expr, &end = endThere.expr;
  LoopHead head = counts ? countedHead(op, var, begin, end, stepThere.expr)
                         : usualHead(op, var, begin, end, stepThere.expr);
  statementComment(op, headOf(head.loop));
  if (op->getBool(Attr::runs))
    add(evaluate(call("__builtin_assume", {binary(Prec::Relational, ">", end, begin)}),
                 "checked before: there is a step"));
  // The copies of a loop's first steps; the addresses that they advance are declared above, and used behind.
  const bool isPrologue = op->getBool(Attr::prologue) && !inPhase_;
  if (isPrologue) {
    blank();
    openPart(kPrologue);
    comment("Prologue: starts the copies of the first steps.");
  }
  if (op->has(Attr::unroll))
    head.loop.unroll = op->getInt(Attr::unroll) > 0
                           ? "unroll " + std::to_string(op->getInt(Attr::unroll))
                           : "unroll";
  open({std::move(head.loop)});
  if (head.index) declareScalar(typeOf(iv->type), var, head.index);
  remember(iv, named(var));
  loops_.push_back({carried, carried});
  startLoop(loops_.back());
  if (counts) requireCurrent(ForOp(op).lower(), beginThere.reads);  // each step reads them
  requireCurrent(ForOp(op).upper(), endThere.reads);
  requireCurrent(ForOp(op).step(), stepThere.reads);
  for (unsigned i = 0; i < op->numResults(); ++i) {
    Value *argument = ForOp(op).carried(i);
    hold(argument);
    if (!argument->type.isTile()) remember(argument, named(carried[i].name));
  }
  block(body);
  if (Op *last = body.terminator(); last && last->kind == OpKind::Yield)
    assignCarried(carried, last->operands());
  endLoop(loops_.back());
  loops_.pop_back();
  for (unsigned i = 0; i < op->numResults(); ++i)
    if (!op->result(i)->type.isTile()) remember(op->result(i), named(carried[i].name));
  close();
  if (isPrologue) closePart();
  names_.close();
  if (entry) closeEntry();
}

// The branch ahead of a loop that asks whether it has a step, of which the first part stands there: the text asks once for both.
Op *KernelEmitter::entryOf(const Op *loop) {
  Op *op = loop->previous();
  while (op && op->kind != OpKind::If) op = op->previous();
  return op && loopBegunBy(op) == loop ? op : nullptr;
}

bool KernelEmitter::isEntry(const Op *branch) { return loopBegunBy(branch) != nullptr; }

void KernelEmitter::openEntry(Op *entry) {
  open(branchOn(scalar(entry->operand(0))));
  names_.open();
  block(*entry->region(0));
  assignResults({storage_.at(entry->result())}, *entry->region(0)->terminator());
  hold(entry->result());
}

void KernelEmitter::closeEntry() {
  close();
  names_.close();
}

// Whether a number that a `while` hands on when it ends was known before it.
static bool isKnownBefore(const Op *loop, const Value *passed) {
  return !passed->type.isTile() && definedOutside(passed, *loop->region(0));
}

// Where what a `while` hands on is found behind it: in the variable that it had at the loop's head, or, where the head computes
// it, in one that gets it when the loop is left; in one that begins with it where it was known before. Without a name where nobody
// reads it.
std::vector<KernelEmitter::Storage> KernelEmitter::whileResults(Op *op,
                                                                llvm::ArrayRef<Storage> carried) {
  Block &before = *op->region(0);
  const Op *condition = before.terminator();
  std::vector<Storage> results(op->numResults());
  std::vector<bool> isTaken(carried.size(), false);
  for (unsigned i = 0; i < results.size(); ++i) {
    const Value *passed = condition->operand(1 + i);
    if (op->result(i)->unused() || !passed->isArgument() || passed->owner != &before) continue;
    if (isTaken[passed->index]) continue;
    isTaken[passed->index] = true;
    results[i] = carried[passed->index];
  }
  for (unsigned i = 0; i < results.size(); ++i) {
    const Value *result = op->result(i);
    if (result->unused() || !results[i].name.empty()) continue;
    // The variable of the same name in the source is free: nobody else reads it behind the loop.
    for (unsigned j = 0; j < carried.size() && results[i].name.empty(); ++j) {
      const Value *head = before.argument(j);
      if (isTaken[j] || head->name.empty() || head->name != result->name) continue;
      if (!(head->type == result->type) || isKnownBefore(op, condition->operand(1 + i))) continue;
      isTaken[j] = true;
      results[i] = carried[j];
    }
    if (!results[i].name.empty()) continue;
    if (result->type.isTile()) {
      results[i] = makeStorage(result->type, result->name);
      add(declare(result->type, results[i].name));
    } else {
      results[i].name = names_.take(result->name.empty() ? "result" : result->name);
      variables_.insert(results[i].name);
      Value *passed = condition->operand(1 + i);
      add(variable(typeOf(result->type), results[i].name,
                   isKnownBefore(op, passed) ? scalar(passed) : Expr{}));
    }
  }
  return results;
}

// What is read behind a loop that is left here. Null: its variable has it already.
void KernelEmitter::assignAtExit(const LoopVariables &loop, llvm::ArrayRef<Value *> values) {
  std::vector<Storage> targets;
  std::vector<Value *> read;
  for (size_t i = 0; i < values.size(); ++i) {
    if (loop.results[i].name.empty() || !values[i]) continue;
    targets.push_back(loop.results[i]);
    read.push_back(values[i]);
  }
  assignCarried(targets, read);
}

void KernelEmitter::whileLoop(Op *op) {
  Block &before = *op->region(0), &body = *op->region(1);
  LoopVariables variables;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    Value *argument = before.argument(i), *init = op->operand(i);
    std::string name = !argument->name.empty()     ? argument->name
                       : i < body.arguments.size() ? body.argument(i)->name
                                                   : "";
    variables.next.push_back(carriedStorage(op, init, name));
    storage_[argument] = variables.next.back();
  }
  variables.results = whileResults(op, variables.next);
  startLoop(variables);
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    Value *argument = before.argument(i);
    hold(argument);
    if (!argument->type.isTile()) remember(argument, named(variables.next[i].name));
  }
  Op *condition = before.terminator();
  T2C_ASSERT(condition && condition->kind == OpKind::Condition);
  // The condition as one expression, if its region needs no statement.
  out_.begin();
  names_.open();
  block(before);
  Stmts statements = out_.end();
  out_.begin();
  Expr test = scalar(condition->operand(0));
  const llvm::ArrayRef<Value *> passed = llvm::ArrayRef(condition->operands()).drop_front();
  std::vector<Value *> computed = passed;  // by the head
  for (Value *&value : computed)
    if (isKnownBefore(op, value)) value = nullptr;
  const Names::Place exit = names_.place();
  assignAtExit(variables, computed);
  variables.changedAtExits = names_.takeBack(exit);
  Stmts leaving = out_.end();
  for (unsigned i = 0; i < op->numResults(); ++i) {
    Value *argument = body.argument(i), *result = op->result(i);
    if (passed[i]->type.isTile()) {
      storage_[argument] = stored(passed[i]);
    } else {
      storage_[argument].name = scalar(passed[i]).str();
      remember(argument, scalar(passed[i]));
    }
    hold(argument);
    storage_[result] = variables.results[i];
  }
  // Nothing but the condition itself is computed at the head: what the loop leaves can be computed behind it.
  const bool isPlain =
      statements.empty() && (leaving.empty() || passes::exitsOf(op, true, false).empty());
  if (isPlain) {
    While loop;
    loop.condition = test;
    statementComment(op, headOf(loop));
    open({std::move(loop)});
  } else {
    statementComment(op);
    open({For{}});
    out_.append(std::move(statements));
    if (leaving.empty()) {
      add(shortIf(unary("!", test), jump("break")));
    } else {
      open(branchOn(unary("!", test)));
      out_.append(leaving);
      add(jump("break"));
      close();
    }
  }
  loops_.push_back(variables);
  block(body);
  if (Op *end = body.terminator(); end && end->kind == OpKind::Yield)
    assignCarried(variables.next, end->operands());
  endLoop(loops_.back());
  loops_.pop_back();
  for (unsigned i = 0; i < op->numResults(); ++i)
    if (!op->result(i)->type.isTile()) remember(op->result(i), named(variables.results[i].name));
  close();
  if (isPlain) out_.append(std::move(leaving));
  names_.close();
}

// Whether `value` has an array of its own that a branch beside it may write over: what the loop around carries, the sums of a
// product, what a nest computes, what another branch wrote over it.
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

bool KernelEmitter::isTaken(const Op *branch, const Value *target) const {
  return llvm::any_of(branchTargets_, [&](const auto &known) {
    return known.first.first == branch && known.second == target;
  });
}

// The tile that one side of a branch hands on as it was and that nobody reads later: the other side writes over it.
Value *KernelEmitter::branchTarget(Op *op, unsigned i) {
  for (auto &region : op->regions) {
    Op *end = region->terminator();
    if (!end || end->kind != OpKind::Yield || !end->operand(i)->type.isTile()) continue;
    Value *value = end->operand(i);
    if (!storage_.count(value) || !hasOwnArray(value, op) || isTaken(op, value)) continue;
    const Storage &storage = storage_.at(value);
    if (!storage.member.empty() || storage.oneVector || storage.axes) continue;
    if (value->type.layout()->str() != op->result(i)->type.layout()->str()) continue;
    if (llvm::all_of(value->users, [&](const Op *user) { return isInOrBefore(user, op); }))
      return value;
  }
  return nullptr;
}

// The side of a branch that computes nothing, and whose numbers its results can start with; null if there is none. Rather the second.
const Block *KernelEmitter::quietSide(const Op *branch) {
  for (const Block *side : {branch->region(1), branch->region(0)}) {
    const Op *end = side ? side->terminator() : nullptr;
    if (!end || end->kind != OpKind::Yield) continue;
    const bool isEmpty = llvm::all_of(side->ops, [&](auto &op) {
      return op.get() == end || op->kind == OpKind::Undefined || op->kind == OpKind::Constant;
    });
    if (isEmpty && llvm::all_of(end->operands(), [&](const Value *value) {
          return value->type.isTile() || scalar(value).isAtom();
        }))
      return side;
  }
  return nullptr;
}

// Whether this side of a branch leaves all its results as they are, or (`starts`) as the numbers that they start with.
bool KernelEmitter::handsOnTargets(const Op *branch, const Op &yield, bool starts) const {
  for (unsigned i = 0; i < yield.numOperands(); ++i) {
    const Op *made = yield.operand(i)->definition;
    if (made && made->kind == OpKind::Undefined) continue;
    if (starts && !yield.operand(i)->type.isTile()) continue;
    auto target = branchTargets_.find({branch, i});
    if (target == branchTargets_.end() || target->second != yield.operand(i)) return false;
  }
  return true;
}

// At the end of a side of a branch.
void KernelEmitter::assignResults(llvm::ArrayRef<Storage> results, const Op &yield) {
  std::vector<Storage> targets;
  std::vector<Value *> values;
  for (unsigned i = 0; i < yield.numOperands(); ++i) {
    Value *value = yield.operand(i);
    if (value->definition && value->definition->kind == OpKind::Undefined) continue;
    targets.push_back(results[i]);
    values.push_back(value);
  }
  assignCarried(targets, values);
}

void KernelEmitter::vote(Op *op) {
  const Storage &storage = stored(op->operand(0));
  T2C_ASSERT(storage.member.empty());
  statementComment(op);
  const std::string &condition = op->operand(0)->name;
  comment("Skipped by a warp in which " + (condition.empty() ? "the condition" : condition) +
          (op->getBool(Attr::of_parts) ? " holds for no lane's part." : " holds nowhere."));
  bindScalar(op, op->result(), call("tile2cu::warp_any", {named(storage.name)}), true);
}

void KernelEmitter::branch(Op *op) {
  const Expr condition = scalar(op->operand(0));
  statementComment(op, headOf(*branchOn(condition).as<If>()));
  std::vector<Storage> results;
  const Block *quiet = quietSide(op);
  for (unsigned i = 0; i < op->numResults(); ++i) {
    auto &result = op->results[i];
    Storage storage;
    std::vector<Op *> readers;
    if (Value *target = branchTarget(op, i)) {
      storage = storage_.at(target);
      branchTargets_[{op, i}] = target;
    } else if (Value *carried =
                   result->type.isTile() ? carriedTarget(op, result.get(), readers) : nullptr) {
      storage = storage_.at(carried);
    } else if (result->type.isTile()) {
      storage = makeStorage(result->type, result->name.empty() ? "chosen" : result->name);
      add(declare(result->type, storage.name));
    } else {
      storage.name = names_.take(result->name.empty() ? "chosen" : result->name);
      variables_.insert(storage.name);
      add(variable(typeOf(result->type), storage.name,
                   quiet ? scalar(quiet->terminator()->operand(i)) : Expr{}));
    }
    storage_[result.get()] = storage;
    results.push_back(storage);
  }
  auto rememberResults = [&] {
    for (auto &result : op->results)
      if (!result->type.isTile()) remember(result.get(), named(storage_.at(result.get()).name));
  };
  if (isEntry(op)) return rememberResults();
  Sides sides{names_.place()};
  auto region = [&](Block &block) {
    names_.open();
    this->block(block);
    Op *end = block.terminator();
    if (end && end->kind == OpKind::Yield) assignResults(results, *end);
    if (end && end->kind == OpKind::Break) {
      assignAtExit(loops_.back(), end->operands());
      add(jump("break"));
    }
    if (end && end->kind == OpKind::Continue) {
      assignCarried(loops_.back().next, end->operands());
      add(jump("continue"));
    }
    names_.close();
    endSide(sides, block);
  };
  auto idle = [&](Block *block) {
    if (!block || block->empty()) return true;
    const Op *end = block->back();
    return end->kind == OpKind::Yield && handsOnTargets(op, *end, block == quiet) &&
           llvm::all_of(block->ops, [&](auto &inner) {
             return inner.get() == end || inner->kind == OpKind::Undefined ||
                    (block == quiet && inner->kind == OpKind::Constant);
           });
  };
  if (idle(op->region(0)) && !idle(op->region(1))) {
    open(branchOn(unary("!", condition)));
    region(*op->region(1));
    close();
    endSides(sides);
    return rememberResults();
  }
  if (op->has(Attr::reason)) comment(op->getString(Attr::reason));
  open(branchOn(condition));
  region(*op->region(0));
  if (!idle(op->region(1))) {
    openElse();
    region(*op->region(1));
  }
  close();
  endSides(sides);
  rememberResults();
}

}  // namespace tile2cu::emit
