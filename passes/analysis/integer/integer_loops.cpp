// Ranges of integers in loops.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

// How many operations are followed to find the divisor of a number.
constexpr unsigned kMostFactors = 8;

// Whether the loop ends by its comparison alone. An endless loop is undefined in C++.
static bool endsByComparison(const Op &loop) { return !isLeft(const_cast<Op *>(&loop)); }

static bool isTowards(const Op &loop, bool up) {
  const Compare compare = ForOp(&loop).compare();
  return up ? isLess(compare) : isGreater(compare);
}

// The range of the step. For an unsigned type, a step of -1 is the largest value of the type.
Integers::WideRange Integers::stepOf(const Op &loop, bool up) const {
  const WideRange all = ofType(ForOp(&loop).lower()->type.scalar());
  const WideRange step = find(ForOp(&loop).step());
  if (all.low < 0 || up) return step;
  return {step.low - all.high - 1, step.high - all.high - 1};
}

bool Integers::staysInType(const Op &loop, bool up) const {
  if (!isTowards(loop, up)) return false;
  const WideRange all = ofType(ForOp(&loop).lower()->type.scalar()), step = stepOf(loop, up),
                  bound = find(ForOp(&loop).upper());
  const Wide strict = isStrict(ForOp(&loop).compare());
  return up ? bound.high - strict + step.high <= all.high
            : bound.low + strict + step.low >= all.low;
}

bool Integers::staysInType(const Op *loop) const {
  return staysInType(*loop, true) || staysInType(*loop, false) || endsAtBound(*loop);
}

// The number that `value` is a multiple of if the result of the operation is 0: 64 for value % 64
// and value & 63.
static int64_t divisorIn(const Op *rest, const Value *value) {
  if (rest->numOperands() != 2 || rest->operand(0) != value) return 0;
  const auto number = constantInt(rest->operand(1));
  if (!number || *number <= 0) return 0;
  if (rest->kind == OpKind::Rem) return *number;
  const bool isMask = rest->kind == OpKind::And && llvm::isMask_64(*number);
  return isMask ? *number + 1 : 0;
}

// Whether the operations and the launcher's checks show that the value is a multiple of a constant.
// Only sums and products of signed numbers are followed: others may overflow.
bool Integers::isMultiple(const Value *value, int64_t of, unsigned depth) const {
  if (const auto number = constantInt(value)) return *number >= 0 && *number % of == 0;
  const auto isChecked = [&](const Op *rest) {
    const int64_t by = divisorIn(rest, value);
    return by > 0 && by % of == 0 && llvm::any_of(rest->result()->users, [](const Op *equal) {
             return equal->kind == OpKind::Eq && constantInt(equal->operand(1)) == 0 &&
                    isRequired(equal->result());
           });
  };
  if (assume_ == Assume::Launched && llvm::any_of(value->users, isChecked)) return true;
  const Op *op = value->definition;
  const Scalar type = value->type.scalar();
  if (!op || depth == 0 || !isSigned(type) || bitWidth(type) < 32) return false;
  const auto is = [&](unsigned i) { return isMultiple(op->operand(i), of, depth - 1); };
  switch (op->kind) {
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Minimum:
    case OpKind::Maximum:
      return is(0) && is(1);
    case OpKind::Mul:
      return is(0) || is(1);
    case OpKind::Cast: {
      if (!isInteger(op->operand(0)->type.scalar())) return false;
      const WideRange from = ofType(op->operand(0)->type.scalar()), to = ofType(type);
      return from.low >= to.low && from.high <= to.high && is(0);
    }
    default:
      return false;
  }
}

// Whether the loop counts up by a constant and reaches its bound exactly, or has no iteration. Then
// variable plus step is never more than the bound.
bool Integers::endsAtBound(const Op &loop) const {
  const auto step = constantInt(ForOp(&loop).step());
  if (!step || *step <= 0 || ForOp(&loop).compare() != Compare::Lt) return false;
  if (isMultiple(ForOp(&loop).lower(), *step, kMostFactors) &&
      isMultiple(ForOp(&loop).upper(), *step, kMostFactors))
    return true;
  // for (k = first; k < first + 8 * 64; k += 64)
  const Op *sum = ForOp(&loop).upper()->definition;
  if (!sum || sum->kind != OpKind::Add || !isSigned(sum->result()->type.scalar()) ||
      bitWidth(sum->result()->type.scalar()) < 32)
    return false;
  for (const unsigned i : {0u, 1u})
    if (sum->operand(i) == ForOp(&loop).lower() &&
        isMultiple(sum->operand(1 - i), *step, kMostFactors))
      return true;
  return false;
}

// Whether the step has one sign in all iterations and the variable does not wrap around. Overflow
// is undefined for signed types of 32 bits or more; for other types, which wrap around, it has to
// be ruled out.
bool Integers::goesOneWay(const Op &loop, bool up) const {
  const Scalar type = ForOp(&loop).lower()->type.scalar();
  const WideRange step = stepOf(loop, up);
  const bool hasSign = up ? step.low >= 0 : step.high <= 0;
  if (isSigned(type) && bitWidth(type) >= 32)
    return hasSign || (isTowards(loop, up) && endsByComparison(loop));
  if (!hasSign) return false;
  // The step of a range leads towards its bound. In an unsigned type, a step of 1 up is also a
  // large step down.
  if (loop.getBool(Attr::stops)) return isTowards(loop, up);
  return staysInType(loop, up) || (up && endsAtBound(loop));
}

// The condition of the loop holds in each iteration. The initial value is a bound too if the
// variable only moves away from it.
Integers::WideRange Integers::loopVariable(const Op &loop) const {
  WideRange range = ofType(ForOp(&loop).lower()->type.scalar());
  const WideRange lower = find(ForOp(&loop).lower()), upper = find(ForOp(&loop).upper());
  switch (ForOp(&loop).compare()) {
    case Compare::Lt:
      range.high = upper.high - 1;
      break;
    case Compare::Le:
      range.high = upper.high;
      break;
    case Compare::Gt:
      range.low = upper.low + 1;
      break;
    case Compare::Ge:
      range.low = upper.low;
      break;
    case Compare::Eq:
    case Compare::Ne:
      break;
  }
  if (goesOneWay(loop, true)) range.low = std::max(range.low, lower.low);
  if (goesOneWay(loop, false)) range.high = std::min(range.high, lower.high);
  return range;
}

Distance Integers::distanceOf(const Op *loop) const {
  const bool isDown = isTowards(*loop, false);
  const WideRange high = find(isDown ? ForOp(loop).lower() : ForOp(loop).upper()),
                  low = find(isDown ? ForOp(loop).upper() : ForOp(loop).lower()),
                  all = ofType(ForOp(loop).lower()->type.scalar());
  if (high.high - low.low > all.high) return Distance::Unknown;
  return high.low - low.high >= all.low ? Distance::Fits : Distance::FitsIfRuns;
}

// ---- values carried by loops

namespace {

// The carried values of a loop: arguments, initial values, and the values that each iteration
// yields.
struct Carried {
  const Value *argument;
  llvm::SmallVector<Value *, 4> handedOn;
  Value *first;
};

std::vector<Carried> carriedBy(const Op *loop) {
  const bool isFor = loop->kind == OpKind::For;
  const Block &head = *loop->region(0), &body = *loop->region(isFor ? 0 : 1);
  std::vector<Carried> all;
  const Op *end = body.terminator();
  const auto continues = exitsOf(const_cast<Op *>(loop), false, true);
  for (unsigned i = isFor, slot = 0; i < head.arguments.size(); ++i, ++slot) {
    Carried one{head.argument(i), {}, isFor ? ForOp(loop).init(slot) : loop->operand(slot)};
    if (end && end->kind == OpKind::Yield) one.handedOn.push_back(end->operand(slot));
    for (const Op *exit : continues) one.handedOn.push_back(exit->operand(slot));
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

// By induction: the carried values that start at 0 or more, and that stay so in each iteration if
// they were so before. If several depend on each other, all are assumed to be so at first, and
// those that fail are removed.
const std::set<const Value *> &Integers::nonNegativeIn(const Op *loop) const {
  if (const auto known = nonNegative_.find(loop); known != nonNegative_.end()) return known->second;
  const std::vector<Carried> all = carriedBy(loop);
  std::set<const Value *> candidates;
  for (const Carried &one : all)
    if (isNonNegative(one.first)) candidates.insert(one.argument);
  for (bool isStable = candidates.empty(); !isStable;) {
    isStable = true;
    Integers step(assume_, positive_);
    step.depth_ = depth_;
    step.nonNegative_ = nonNegative_;
    step.nonNegative_[loop] = candidates;
    for (const Carried &one : all) {
      const bool holds =
          llvm::all_of(one.handedOn, [&](const Value *value) { return step.isNonNegative(value); });
      if (!holds && candidates.erase(one.argument)) isStable = false;
    }
  }
  return nonNegative_[loop] = std::move(candidates);
}

std::optional<Integers::WideRange> Integers::carried(const Value *argument) const {
  const Op *loop = argument->owner->parent;
  if (!loop || assume_ == Assume::Nothing) return std::nullopt;
  const bool isFor = loop->kind == OpKind::For;
  if (!isFor && loop->kind != OpKind::While) return std::nullopt;
  // The arguments of a `while` body are the operands of its `condition`.
  if (!isFor && argument->owner == loop->region(1)) {
    const Op *end = loop->region(0)->terminator();
    if (!end || end->kind != OpKind::Condition) return std::nullopt;
    return find(end->operand(1 + argument->index));
  }
  if (!nonNegativeIn(loop).count(argument)) return std::nullopt;
  return WideRange{0, ofType(argument->type.scalar()).high};
}

// The range of a result after the loop has ended.
std::optional<Integers::WideRange> Integers::rangeAfterLoop(const Op &loop, unsigned result) const {
  if (assume_ == Assume::Nothing) return std::nullopt;
  llvm::SmallVector<Value *, 4> values;
  if (loop.kind == OpKind::For) {
    values.push_back(ForOp(&loop).carried(result));
  } else {
    const Op *end = loop.region(0)->terminator();
    if (!end || end->kind != OpKind::Condition) return std::nullopt;
    values.push_back(end->operand(1 + result));
  }
  for (const Op *exit : exitsOf(const_cast<Op *>(&loop), true, false))
    values.push_back(exit->operand(result));
  return either(values);
}

}  // namespace tile2cu::passes
