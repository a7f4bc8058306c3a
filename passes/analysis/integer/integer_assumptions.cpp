// Ranges that the launcher has checked before a program runs, found through the operations that use
// a value.
#include <algorithm>
#include <functional>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/cdiv.h"
#include "passes/analysis/integer/grid_factors.h"
#include "passes/analysis/integer/integers.h"
#include "passes/ir/builder.h"
#include "passes/target/memory_system.h"

namespace tile2cu::passes {
using namespace ir;

bool isAlwaysReached(const Op *op) {
  for (const Op *before = op->previous(); before; before = before->previous())
    for (const auto &region : before->regions) {
      bool returns = false;
      walk(*region, [&](const Op *inner) { returns |= inner->kind == OpKind::Return; });
      if (returns) return false;
    }
  return true;
}

// Whether the condition, or a conjunction that contains it, is true in every program that runs.
bool Integers::isRequired(const Value *condition) {
  return llvm::any_of(condition->users, [](const Op *user) {
    if (user->kind == OpKind::And) return isRequired(user->result());
    if (user->parentOp()) return false;  // it holds only there
    return user->kind == OpKind::Require || (user->kind == OpKind::Assume && isAlwaysReached(user));
  });
}

// Whether the grid has cdiv(value, divisor) programs, or a multiple of that: then the value is at
// least 1.
static bool isCountedByGrid(const Value *value, const Op *div, GridFactors &factors) {
  if (div->kind != OpKind::Div || div->operand(0) != value ||
      constantInt(div->operand(1)).value_or(0) < 1)
    return false;
  const std::function<bool(const Value *)> isInCdiv = [&](const Value *quotient) {
    return llvm::any_of(quotient->users, [&](const Op *user) {
      if (user->kind == OpKind::Cast) return isInCdiv(user->result());
      const Value *dividend, *divisor;
      return user->kind == OpKind::Add && isCdiv(user->result(), dividend, divisor) &&
             dividend == value && factors.contains(user->result());
    });
  };
  return isInCdiv(div->result());
}

// n <= 4096, if the launcher checks it.
void Integers::addCompared(const Value *value, const Op &compare, WideRange &range) const {
  const bool isLeft = compare.operand(0) == value;
  const Value *bound = compare.operand(isLeft);
  if (bound == value || !isRequired(compare.result())) return;
  const WideRange other = find(bound);
  // As `value <how> bound`.
  const Compare how = isLeft ? compareOf(compare.kind) : mirrored(compareOf(compare.kind));
  if (isLess(how) || how == Compare::Eq)
    range.high = std::min(range.high, other.high - isStrict(how));
  if (isGreater(how) || how == Compare::Eq)
    range.low = std::max(range.low, other.low + isStrict(how));
  // n != 0, if n is not negative.
  const bool isApart = how == Compare::Ne && other.low == other.high;
  if (isApart && range.low == other.low) ++range.low;
  if (isApart && range.high == other.high) --range.high;
}

// Adds the range that is known of the value after a cast. A cast to a type that holds all values of
// the source type keeps the value. A cast to an unsigned type turns negative values into large
// ones; if such large values are excluded, the value is not negative.
void Integers::addConverted(const Value *value, const Op &cast, WideRange &range) const {
  const Scalar type = cast.result()->type.scalar();
  if (!isInteger(type)) return;
  const WideRange from = ofType(value->type.scalar()), to = ofType(type);
  if (from.high > to.high) return;
  WideRange converted = to;
  addAssumptions(cast.result(), converted);
  const Wide firstNegative = to.high + 1 + from.low;
  if (from.low < to.low && converted.high >= firstNegative) return;
  range.low = std::max(range.low, converted.low);
  range.high = std::min(range.high, converted.high);
}

void Integers::addAssumptions(const Value *value, WideRange &range) const {
  const auto isPositive = [&] { range.low = std::max<Wide>(range.low, 1); };
  if (positive_.count(value) || factors_.contains(value)) isPositive();
  for (const Op *user : value->users) {
    if (user->is(Comparison)) addCompared(value, *user, range);
    switch (user->kind) {
      case OpKind::Cast:
        addConverted(value, *user, range);
        break;
      case OpKind::Div:
        if (isCountedByGrid(value, user, factors_)) isPositive();
        break;
      case OpKind::TensorMap:  // extents and strides of an array
        if (user->operand(0) != value) isPositive();
        for (unsigned i = 1; i <= TensorMapOp(user).rank(); ++i)
          if (user->operand(i) == value) range.high = std::min<Wide>(range.high, kMaxExtent);
        break;
      default:
        break;
    }
  }
}

Integers::WideRange Integers::withAssumptions(const Value *value, WideRange range) const {
  const Op *op = value->definition;
  if (value->type.isTile() || (op && op->kind == OpKind::Constant)) return range;
  WideRange narrow = range;
  addAssumptions(value, narrow);
  const Value *dividend, *divisor;
  if (op && op->kind == OpKind::Add && range.low <= 0 && isCdiv(value, dividend, divisor) &&
      isAtLeast(dividend, 1) && isAtLeast(divisor, 1))
    narrow.low = std::max<Wide>(narrow.low, 1);
  for (const Value *bound :
       {boundOfBlocks(value), static_cast<const Value *>(boundOfGroups(value))})
    if (bound) narrow.high = std::min(narrow.high, std::max<Wide>(find(bound).high, 1) - 1);
  if (op && op->kind == OpKind::Sub && narrow.low < 1) {
    if (isBelow(op->operand(1), op->operand(0)))
      narrow.low = 1;
    else if (boundFromEnd(op))
      narrow.low = std::max<Wide>(narrow.low, 0);
  }
  // The checks contradict each other: no program runs.
  return narrow.low > narrow.high ? range : narrow;
}

}  // namespace tile2cu::passes
