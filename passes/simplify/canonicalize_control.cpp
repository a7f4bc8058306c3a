#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/rewrite/loop_surgery.h"
#include "passes/simplify/canonicalize_rules.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

void replaceResults(Op &op, llvm::ArrayRef<Value *> values) {
  for (unsigned i = 0; i < op.numResults(); ++i) op.result(i)->replaceAllUsesWith(values[i]);
}

void eraseAllAfter(Op *last) {
  while (Op *op = last->parent->back()) {
    if (op == last) return;
    op->setOperands({});
    op->erase();
  }
}

// Whether `end` may end the block that contains `branch`. There, a `continue` is the `yield` of the
// loop.
bool mayEndBlockOf(const Op &branch, const Op &end) {
  const Op *owner = branch.parentOp();
  if (end.kind == OpKind::Return) return !owner || owner->kind == OpKind::If;
  if (owner && owner->kind == OpKind::If) return true;
  return end.kind == OpKind::Continue && owner && owner->kind == OpKind::For;
}

Outcome takeArm(Op &branch, bool condition) {
  Block *arm = branch.region(condition ? 0 : 1);
  if (!arm) {
    branch.erase();
    return Outcome::Erased;
  }
  Op *end = arm->terminator();
  bool leaves = end && end->kind != OpKind::Yield;
  if (leaves && !mayEndBlockOf(branch, *end)) return Outcome::Same;
  auto handed = inlineRegion(*arm, &branch, {});
  if (!leaves) {
    replaceResults(branch, handed);
  } else {
    eraseAllAfter(&branch);
    bool isContinue = end->kind == OpKind::Continue && branch.parentOp()->kind == OpKind::For;
    if (isContinue) {
      Builder builder = Builder::before(end);
      builder.yield(std::vector<Value *>(end->operands()));
      end->erase();
    }
  }
  branch.erase();
  return Outcome::Erased;
}

bool isEmpty(const Block *arm) {
  return !arm || arm->empty() || (arm->front()->kind == OpKind::Yield);
}

Outcome simplifyIf(Op &branch) {
  if (auto condition = constantBool(branch.operand(0))) return takeArm(branch, *condition);
  Block *onTrue = branch.region(0), *onFalse = branch.region(1);
  bool changed = false;
  if (branch.numResults() == 0) {
    if (isEmpty(onTrue) && isEmpty(onFalse)) {
      branch.erase();
      return Outcome::Erased;
    }
    if (!isEmpty(onTrue)) return Outcome::Same;
    // if (c) {} else { ... }: inverts the condition.
    Builder builder = Builder::before(&branch);
    branch.setOperand(0, builder.unary(OpKind::Not, branch.operand(0)));
    std::swap(branch.regions[0], branch.regions[1]);
    return Outcome::Changed;
  }
  // The same value from both arms; for scalars, a select of two values.
  Op *first = onTrue->terminator(), *second = onFalse->terminator();
  if (first->kind != OpKind::Yield || second->kind != OpKind::Yield) return Outcome::Same;
  bool isChoice = isEmpty(onTrue) && isEmpty(onFalse);
  for (unsigned i = 0; i < branch.numResults(); ++i) {
    Value *result = branch.result(i), *a = first->operand(i), *b = second->operand(i);
    if (result->unused()) continue;
    bool isSelect = isChoice && !result->type.isTile();
    if (a != b && !isSelect) continue;
    Builder builder = Builder::before(&branch);
    result->replaceAllUsesWith(a == b ? a : builder.select(branch.operand(0), a, b, result->name));
    changed = true;
  }
  return changed ? Outcome::Changed : Outcome::Same;
}

// Whether every iteration passes `argument` or `init` on.
bool staysThrough(llvm::ArrayRef<Op *> ends, unsigned i, const Value *argument, const Value *init) {
  return llvm::all_of(
      ends, [&](const Op *end) { return end->operand(i) == argument || end->operand(i) == init; });
}

// The branch in the body of a loop that is always taken and ends in a `break`, if the loop has no
// other `break` or `continue`. Null if there is none.
Op *unconditionalBreak(Op &loop, const Block &body) {
  const auto exits = exitsOf(&loop, true, true);
  if (exits.size() != 1 || exits.front()->kind != OpKind::Break) return nullptr;
  Op *branch = exits.front()->parentOp();
  const bool isTaken = branch->kind == OpKind::If && branch->parent == &body &&
                       exits.front()->parent == branch->region(0);
  return isTaken && constantBool(branch->operand(0)) == true ? branch : nullptr;
}

// for (...) { ...; break; } runs at most once: if (runs) { ... }, with the results `otherwise` if
// the loop does not run.
Outcome branchInsteadOf(Op &loop, Op &leaving, Value *runs, llvm::ArrayRef<Value *> arguments,
                        llvm::ArrayRef<Value *> otherwise) {
  Op *end = leaving.region(0)->back();
  inlineRegion(*leaving.region(0), &leaving, {});
  const std::vector<Value *> last(end->operands().begin(), end->operands().end());
  eraseAllAfter(end);
  end->setOperands({});
  end->erase();

  std::vector<Type> types;
  for (auto &result : loop.results) types.push_back(result->type);
  Op *branch = Builder::before(&loop).create(OpKind::If, {runs}, types);
  Builder taken(*branch->addRegion()), other(*branch->addRegion());
  taken.loc = other.loc = loop.loc;
  Block &body = *loop.regions.back();
  Op *yield = taken.yield(last);
  inlineRegion(body, yield, arguments);
  other.yield(otherwise);
  for (unsigned i = 0; i < loop.numResults(); ++i) {
    branch->result(i)->name = loop.result(i)->name;
    loop.result(i)->replaceAllUsesWith(branch->result(i));
  }
  loop.erase();
  return Outcome::Erased;
}

Outcome simplifyFor(Op &loop) {
  Block &body = *loop.region();
  auto count = tripCount(&loop);
  llvm::SmallVector<Value *, 4> inits(loop.operands().begin() + ForOp::kFirstInit,
                                      loop.operands().end());
  if (count == 0) {
    replaceResults(loop, inits);
    loop.erase();
    return Outcome::Erased;
  }
  if (Op *leaving = unconditionalBreak(loop, body)) {
    const ForOp counted(&loop);
    Value *runs =
        Builder::before(&loop).binary(kindOf(counted.compare()), counted.lower(), counted.upper());
    std::vector<Value *> arguments{counted.lower()};
    arguments.insert(arguments.end(), inits.begin(), inits.end());
    return branchInsteadOf(loop, *leaving, runs, arguments, inits);
  }
  auto exits = exitsOf(&loop, true, true);
  bool endsInYield = !body.terminator() || body.terminator()->kind == OpKind::Yield;
  if (count == 1 && exits.empty() && endsInYield) {
    llvm::SmallVector<Value *, 4> arguments{ForOp(&loop).lower()};
    arguments.append(inits);
    replaceResults(loop, inlineRegion(body, &loop, arguments));
    loop.erase();
    return Outcome::Erased;
  }
  llvm::SmallVector<Op *, 4> ends(exits.begin(), exits.end());
  if (Op *end = body.terminator()) ends.push_back(end);
  bool changed = false;
  for (unsigned i = inits.size(); i-- > 0;) {
    Value *argument = ForOp(&loop).carried(i);
    if (!staysThrough(ends, i, argument, inits[i])) continue;
    argument->replaceAllUsesWith(inits[i]);
    loop.result(i)->replaceAllUsesWith(inits[i]);
    eraseCarried(&loop, i);
    changed = true;
  }
  return changed ? Outcome::Changed : Outcome::Same;
}

Outcome simplifyWhile(Op &loop) {
  Block &head = *loop.region(0), &body = *loop.region(1);
  Op *condition = head.back();
  if (Op *leaving = unconditionalBreak(loop, body)) {
    inlineRegion(head, &loop, std::vector<Value *>(loop.operands().begin(), loop.operands().end()));
    const std::vector<Value *> passed(condition->operands().begin() + 1,
                                      condition->operands().end());
    Value *runs = condition->operand(0);
    condition->setOperands({});
    condition->erase();
    return branchInsteadOf(loop, *leaving, runs, passed, passed);
  }
  bool changed = false;
  // Values from outside the loop need not be passed by `condition`.
  auto breaks = exitsOf(&loop, true, false);
  for (unsigned i = 0; i < body.arguments.size(); ++i) {
    Value *passed = condition->operand(1 + i), *argument = body.argument(i);
    if (!definedOutside(passed, head) || passed == argument) continue;
    changed |= !argument->unused();
    argument->replaceAllUsesWith(passed);
    if (!staysThrough(breaks, i, passed, passed)) continue;
    changed |= !loop.result(i)->unused();
    loop.result(i)->replaceAllUsesWith(passed);
  }
  llvm::SmallVector<Op *, 4> ends;
  for (Op *end : exitsOf(&loop, false, true)) ends.push_back(end);
  if (Op *end = body.terminator(); end && end->kind == OpKind::Yield) ends.push_back(end);
  for (unsigned i = head.arguments.size(); i-- > 0;) {
    Value *argument = head.argument(i), *init = loop.operand(i);
    bool stays = llvm::all_of(ends, [&](const Op *end) {
      Value *next = end->operand(i);
      if (next->isArgument() && next->owner == &body) next = condition->operand(1 + next->index);
      return next == argument || next == init;
    });
    if (!stays || argument->unused()) continue;
    argument->replaceAllUsesWith(init);
    changed = true;
  }
  return changed ? Outcome::Changed : Outcome::Same;
}

}  // namespace

Outcome simplifyControl(Op &op) {
  switch (op.kind) {
    case OpKind::If:
      return simplifyIf(op);
    case OpKind::For:
      return simplifyFor(op);
    case OpKind::While:
      return simplifyWhile(op);
    default:
      return Outcome::Same;
  }
}

}  // namespace tile2cu::passes
