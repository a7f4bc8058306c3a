// Recognizes counted loops, so that they stay `for` loops in the emitted text.
//
// A loop is lowered as a `while`, which carries everything that its head and body change. The
// operations then show whether it counts: a step is added once in each iteration, to the variable
// as it was at its start, and the bound and the step are computed from values from outside the
// loop. So it does not matter how C++ changes a variable, nor whether it says `for` or `while`.
#include "fmt/format.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_control.h"
#include "llvm/ADT/SetVector.h"

namespace tile2cu::frontend {
namespace {

using ir::Op;
using ir::OpKind;
using ir::Value;
using Ops = llvm::SetVector<Op *>;

// Whether the operation only computes its results, also in its regions.
bool isComputation(const Op &op) {
  if (!op.is(ir::Pure) && (!op.is(ir::Control) || op.is(ir::Exit))) return false;
  return llvm::all_of(op.regions, [](auto &region) {
    return llvm::all_of(region->ops, [](auto &inner) { return isComputation(*inner); });
  });
}

bool isDefinedIn(const Op &loop, const Value *value) {
  return llvm::any_of(loop.regions,
                      [&](auto &region) { return ir::isInside(value->home(), *region); });
}

// Appends the operations in `loop` that compute `value` from values from outside and from
// `variable` (may be null), operands first. False if something else is needed: what the loop
// carries, or an operation that is more than a computation.
bool collect(const Op &loop, Value *value, const Value *variable, Ops &ops) {
  if (value == variable || !isDefinedIn(loop, value)) return true;
  Op *op = value->definition;
  if (ops.contains(op)) return true;
  if (!op || !isComputation(*op)) return false;
  auto isCollected = [&](Value *used) { return !used || collect(loop, used, variable, ops); };
  if (!llvm::all_of(op->operands(), isCollected)) return false;
  for (auto &region : op->regions)
    if (!llvm::all_of(ir::capturedBy(*region), isCollected)) return false;
  ops.insert(op);
  return true;
}

// Whether the two are computed by the same operations, from the same values. `known` holds pairs
// for which that has been found.
bool isSame(const Value *a, const Value *b, llvm::DenseMap<const Value *, const Value *> &known) {
  if (a == b || known.lookup(a) == b) return true;
  const Op *x = a->definition, *y = b->definition;
  if (!x || !y || x->kind != y->kind || a->index != b->index || !a->type.sameTile(b->type) ||
      !(x->attributes == y->attributes) || !x->regions.empty() || !y->regions.empty() ||
      x->numOperands() != y->numOperands())
    return false;
  for (unsigned i = 0; i < x->numOperands(); ++i) {
    const Value *p = x->operand(i), *q = y->operand(i);
    if (p != q && !(p && q && isSame(p, q, known))) return false;
  }
  known[a] = b;
  return true;
}

const Value *unconverted(const Value *value) {
  const auto cast = ir::CastOp::of(value);
  return cast ? cast.source() : value;
}

// The addition or subtraction that makes `next`, before C++ converts it to the variable's type.
const Op *sumOf(const Value *next) {
  const Op *sum = unconverted(next)->definition;
  return sum && (sum->kind == OpKind::Add || sum->kind == OpKind::Sub) ? sum : nullptr;
}

bool matchCondition(const Loop &loop, CountedLoop &result) {
  const ir::Block &test = *loop.op->region(0);
  const Op *compare = test.terminator()->operand(0)->definition;
  if (!compare || compare->parent != &test || !ir::isComparison(compare->kind)) return false;
  result.compare = ir::compareOf(compare->kind);
  if (result.compare == ir::Compare::Eq) return false;
  const Value *variable = carriedArgument(loop, test, result.index);
  const Value *after = test.terminator()->operand(1 + result.index);
  if (after != variable) {
    const Op *sum = sumOf(after);
    if (!sum || sum->result() != after || sum->operand(0) != variable) return false;
    result.addsInCondition = true;
    result.isFalling = sum->kind == OpKind::Sub;
    result.step = sum->operand(1);
  }
  const auto isVariable = [&](const Value *compared) {
    result.comparesSum = result.addsInCondition && unconverted(compared) == after;
    return result.comparesSum || unconverted(compared) == variable;
  };
  result.upper = compare->operand(1);
  if (isVariable(compare->operand(0))) return true;
  result.upper = compare->operand(0);
  result.compare = ir::mirrored(result.compare);
  return isVariable(compare->operand(1));
}

// The values that the variable gets at the ends of iterations.
llvm::SmallVector<Value *, 4> nextValues(const Loop &loop, unsigned index) {
  llvm::SmallVector<Value *, 4> values;
  for (auto &[first, exit] : loop.exits)
    if (exit->kind == OpKind::Yield || exit->kind == OpKind::Continue)
      values.push_back(exit->operand(first + index));
  return values;
}

bool matchIncrement(const Loop &loop, CountedLoop &result) {
  const Value *variable = carriedArgument(loop, *loop.op->region(1), result.index);
  const auto values = nextValues(loop, result.index);
  if (result.addsInCondition)
    return !values.empty() &&
           llvm::all_of(values, [&](const Value *value) { return value == variable; });
  const Op *last = values.empty() ? nullptr : sumOf(values.back());
  if (!last || unconverted(last->operand(0)) != variable) return false;
  result.isFalling = last->kind == OpKind::Sub;
  result.step = last->operand(1);
  llvm::DenseMap<const Value *, const Value *> known;
  return llvm::all_of(values, [&](const Value *value) {
    const Op *sum = sumOf(value);
    return sum && sum->kind == last->kind && unconverted(sum->operand(0)) == variable &&
           isSame(sum->operand(1), result.step, known);
  });
}

// Whether the head does nothing but compute, and bound and step have one value in all iterations.
bool isHeadFixed(const Loop &loop, const CountedLoop &counted) {
  const ir::Block &test = *loop.op->region(0);
  for (unsigned i = 0; i < loop.carried.size(); ++i)
    if (test.terminator()->operand(1 + i) != carriedArgument(loop, test, i) &&
        !(i == counted.index && counted.addsInCondition))
      return false;
  Ops ops;
  return llvm::all_of(test.ops, [](auto &op) { return isComputation(*op); }) &&
         collect(*loop.op, counted.upper, nullptr, ops) &&
         collect(*loop.op, counted.step, nullptr, ops);
}

// Computes a value of the loop at the builder's insertion point, outside.
Value *copyOut(Lowering &l, const Op &loop, Value *value) {
  Ops ops;
  collect(loop, value, nullptr, ops);
  std::map<Value *, Value *> copies;
  for (Op *op : ops) ir::clone(op, l.builder, copies);
  const auto copy = copies.find(value);
  return copy == copies.end() ? value : copy->second;
}

void eraseUnused(Lowering &l, const Ops &ops) {
  for (Op *op : llvm::reverse(ops)) {
    if (!llvm::all_of(op->results, [](auto &result) { return result->unused(); })) continue;
    for (auto &result : op->results) l.forget(result.get());
    op->erase();
  }
}

void forgetAll(Lowering &l, ir::Block &block) {
  for (auto &argument : block.arguments) l.forget(argument.get());
  ir::walk(block, [&](const Op *op) {
    for (auto &result : op->results) l.forget(result.get());
  });
}

// Lets a loop whose condition is `i-- > bound` count with the value that the body sees, from i - 1
// while that is >= bound. An unsigned i - 1 may be above the bound because it has wrapped around.
CountedLoop countingAfter(CountedLoop counted, const Counting &counting) {
  const bool isOne = scalarConstant(counted.step) == 1;
  if (!counted.addsInCondition || counted.comparesSum || !isOne || !ir::isSigned(counting.type) ||
      !ir::isStrict(counted.compare))
    return counted;
  if (counted.isFalling ? !ir::isGreater(counted.compare) : !ir::isLess(counted.compare))
    return counted;
  counted.compare = counted.isFalling ? ir::Compare::Ge : ir::Compare::Le;
  counted.comparesSum = true;
  return counted;
}

}  // namespace

std::optional<CountedLoop> countedLoop(const Loop &loop, unsigned slot, bool bodyChanges,
                                       llvm::StringRef name, std::string &why) {
  const auto carried =
      llvm::find_if(loop.carried, [&](auto &variable) { return variable.slot == slot; });
  CountedLoop result;
  result.index = carried - loop.carried.begin();
  const bool isChanged = carried != loop.carried.end();
  if (isChanged) result.lower = carried->initial;
  if (isChanged && !matchCondition(loop, result)) {
    why = fmt::format("its condition does not compare '{}' with a bound{}", name.str(), kForm);
  } else if (bodyChanges) {
    why = fmt::format("its body may change '{}'; use another variable there", name.str());
  } else if (!isChanged || !matchIncrement(loop, result)) {
    why = fmt::format("its head does not add a step to '{}'{}", name.str(), kForm);
  } else if (!isHeadFixed(loop, result)) {
    why = fmt::format(
        "the bound or the step of '{}' may change in the loop; compute it before the loop, into a "
        "variable of its own",
        name.str());
  } else {
    return result;
  }
  return std::nullopt;
}

ir::Value *makeCounted(Lowering &l, Loop &loop, const CountedLoop &found, const Counting &counting,
                       bool isReadAfter) {
  const CountedLoop counted = countingAfter(found, counting);
  const OpKind add = counted.isFalling ? OpKind::Sub : OpKind::Add;
  Op *general = loop.op;
  l.builder.setInsertionPoint(general);
  Value *lower = convertElement(l, counted.lower, counting.type);
  Value *upper = convertElement(l, copyOut(l, *general, counted.upper), counting.type);
  Value *step = convertElement(l, copyOut(l, *general, counted.step), counting.type);
  const ir::Scalar type = counted.lower->type.scalar();
  Value *added = convertElement(l, step, type);
  if (counted.comparesSum) lower = arithmetic(l, add, lower, step);
  if (counted.isFalling) step = arithmetic(l, OpKind::Neg, step);

  std::vector<Value *> operands = {lower, upper, step};
  for (const Loop::Carried &variable : loop.carried) operands.push_back(variable.initial);
  loop.op = l.builder.create(OpKind::For, operands, {});
  loop.op->set(ir::Attr::compare, counted.compare);
  llvm::erase_if(loop.exits, [](auto &exit) { return exit.second->kind == OpKind::Condition; });
  forgetAll(l, *general->region(0));
  ir::Block &body = *loop.op->regions.emplace_back(std::move(general->regions[1]));
  body.parent = loop.op;
  general->regions.pop_back();
  general->erase();

  Value *carried = carriedArgument(loop, body, counted.index);
  Value *variable = body.addArgument(counting.type, carried->name);
  std::rotate(body.arguments.begin(), std::prev(body.arguments.end()), body.arguments.end());
  for (unsigned i = 0; i < body.arguments.size(); ++i) body.arguments[i]->index = i;
  l.builder.setInsertionPoint(body.front());
  Value *number = convertElement(l, variable, type);
  if (number != variable && counting.neverOverflows)
    number->definition->setBool(ir::Attr::lossless, true);
  if (counted.addsInCondition && !counted.comparesSum) number = arithmetic(l, add, number, added);

  Ops updates;
  for (Value *next : nextValues(loop, counted.index)) collect(*loop.op, next, carried, updates);
  carried->replaceAllUsesWith(number);
  if (!isReadAfter) {
    removeCarried(l, loop, counted.index, 3);
    eraseUnused(l, updates);
  } else if (llvm::all_of(counted.lower->users, [&](const Op *user) { return user == loop.op; })) {
    counted.lower->name.clear();  // as in a `for`, it is the first value, and not the variable
  }
  return added;
}

}  // namespace tile2cu::frontend
