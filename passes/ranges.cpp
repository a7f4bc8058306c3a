#include "passes/ranges.h"

#include <algorithm>
#include <limits>

#include "passes/fold.h"
#include "passes/loops.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

using Wide = __int128;
constexpr unsigned kMaxDepth = 8;

// Launchers refuse grids of more than INT_MAX blocks. A block has 32 packed programs at the most.
constexpr Wide kMostBlocks = std::numeric_limits<int32_t>::max();
constexpr Wide kMostPrograms = kMostBlocks * 32;

struct WideRange {
  Wide low, high;
};

WideRange ofType(Scalar type) {
  if (type == Scalar::Bool) return {0, 1};
  unsigned bits = bitWidth(type);
  if (isSigned(type)) return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
  return {0, (Wide{1} << bits) - 1};
}

bool isNumber(const Value *value) {
  return !value->type.isPointer() &&
         (isInteger(value->type.scalar()) || value->type.scalar() == Scalar::Bool);
}

WideRange find(const Value *value, unsigned depth);

WideRange corners(const WideRange &a, const WideRange &b) {
  Wide all[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(all, all + 4), *std::max_element(all, all + 4)};
}

// Before it is cut to the type: overflow of signed values is undefined, that of others gives up.
std::optional<WideRange> binary(const Op &op, unsigned depth) {
  WideRange a = find(op.operand(0), depth), b = find(op.operand(1), depth);
  switch (op.kind) {
    case OpKind::Add:
      return WideRange{a.low + b.low, a.high + b.high};
    case OpKind::Sub:
      return WideRange{a.low - b.high, a.high - b.low};
    case OpKind::Mul: {
      constexpr Wide limit = Wide{1} << 63;  // the product of two such numbers fits
      bool isSmall = a.low >= -limit && a.high < limit && b.low >= -limit && b.high < limit;
      if (!isSmall) return std::nullopt;
      return corners(a, b);
    }
    case OpKind::Div:
      if (b.low <= 0) {  // whatever the divisor is, the quotient is not larger
        const Wide most = std::max(-a.low, a.high);
        return WideRange{a.low >= 0 && b.low >= 0 ? 0 : -most, most};
      }
      return WideRange{std::min(a.low / b.low, a.low / b.high),
                       std::max(a.high / b.low, a.high / b.high)};
    case OpKind::Rem: {
      // Not larger than the dividend, whose sign it has, and smaller than the divisor.
      const Wide most = std::max(b.high, -b.low) - 1;
      return WideRange{a.low < 0 ? std::max(a.low, -most) : 0,
                       a.high < 0 ? 0 : std::min(a.high, most)};
    }
    case OpKind::And:
      if (a.low < 0 && b.low < 0) return std::nullopt;
      return WideRange{0, a.low < 0 ? b.high : b.low < 0 ? a.high : std::min(a.high, b.high)};
    case OpKind::Shr:
      if (b.low < 0 || b.low != b.high || b.high > 63) return std::nullopt;
      return WideRange{a.low >> int(b.low), a.high >> int(b.low)};
    case OpKind::Minimum:
      return WideRange{std::min(a.low, b.low), std::min(a.high, b.high)};
    case OpKind::Maximum:
      return WideRange{std::max(a.low, b.low), std::max(a.high, b.high)};
    default:
      return std::nullopt;
  }
}

std::string compareOf(const Op &loop) {
  return loop.has("compare") ? loop.getString("compare") : "lt";
}

// Whether the loop ends by its comparison alone. One that does not end at all is undefined in C++.
bool endsByComparison(const Op &loop) { return !isLeft(const_cast<Op *>(&loop)); }

// What is added in each step. Of an unsigned type, -1 is the largest number.
WideRange stepOf(const Op &loop, bool up, unsigned depth) {
  const WideRange all = ofType(loop.operand(0)->type.scalar());
  const WideRange step = find(loop.operand(2), depth);
  if (all.low < 0 || up) return step;
  return {step.low - all.high - 1, step.high - all.high - 1};
}

bool isTowards(const Op &loop, bool up) {
  const std::string compare = compareOf(loop);
  return up ? compare == "lt" || compare == "le" : compare == "gt" || compare == "ge";
}

bool staysInType(const Op &loop, bool up, unsigned depth) {
  if (!isTowards(loop, up)) return false;
  const WideRange all = ofType(loop.operand(0)->type.scalar()), step = stepOf(loop, up, depth),
                  bound = find(loop.operand(1), depth);
  const std::string compare = compareOf(loop);
  const Wide isStrict = compare == "lt" || compare == "gt";
  return up ? bound.high - isStrict + step.high <= all.high
            : bound.low + isStrict + step.low >= all.low;
}

// What is added has one sign in all steps. A sum that is no number of the type is undefined for signed numbers of 32 bits or more,
// and has to be shown not to be there for others: those wrap around.
bool goesOneWay(const Op &loop, bool up, unsigned depth, bool isKnown = false) {
  const Scalar type = loop.operand(0)->type.scalar();
  const WideRange step = stepOf(loop, up, depth);
  const bool hasSign = isKnown || (up ? step.low >= 0 : step.high <= 0);
  if (isSigned(type) && bitWidth(type) >= 32)
    return hasSign || (isTowards(loop, up) && endsByComparison(loop));
  return hasSign && (loop.getBool("stops") || staysInType(loop, up, depth));
}

// What the comparison says holds in each step; where it began counts if it goes one way from there.
WideRange loopVariable(const Op &loop, unsigned depth) {
  WideRange range = ofType(loop.operand(0)->type.scalar());
  const WideRange lower = find(loop.operand(0), depth), upper = find(loop.operand(1), depth);
  const std::string compare = compareOf(loop);
  if (compare == "lt") range.high = upper.high - 1;
  if (compare == "le") range.high = upper.high;
  if (compare == "gt") range.low = upper.low + 1;
  if (compare == "ge") range.low = upper.low;
  if (goesOneWay(loop, true, depth)) range.low = std::max(range.low, lower.low);
  if (goesOneWay(loop, false, depth)) range.high = std::min(range.high, lower.high);
  return range;
}

std::optional<WideRange> computed(const Value *value, unsigned depth) {
  if (value->isArgument()) {
    const Op *loop = value->owner->parent;
    if (loop && loop->kind == OpKind::For && value->index == 0) return loopVariable(*loop, depth);
    return std::nullopt;
  }
  const Op &op = *value->definition;
  switch (op.kind) {
    case OpKind::Constant:
      return WideRange{op.getInt("value"), op.getInt("value")};
    case OpKind::Arange:
      return WideRange{op.getInt("start"), op.getInt("end") - 1};
    case OpKind::Grid:
      // Of several extents the launcher refuses products above INT_MAX, packed or not.
      return WideRange{0, op.numOperands() > 1 ? kMostBlocks : kMostPrograms};
    case OpKind::ProgramId:
    case OpKind::NumPrograms:
    case OpKind::NumSms:
      return WideRange{0, std::min(kMostPrograms, ofType(value->type.scalar()).high)};
    case OpKind::Splat:
    case OpKind::Broadcast:
    case OpKind::ExpandDims:
    case OpKind::Reshape:
    case OpKind::Permute:
    case OpKind::Flip:
    case OpKind::Slice:
    case OpKind::Convert:
      return find(op.operand(0), depth);
    case OpKind::Hint: {
      WideRange range = find(op.operand(0), depth);
      if (op.has("non_negative")) range.low = std::max<Wide>(range.low, 0);
      if (const Value *bound = op.operand(HintOp::bound_optIndex))
        range.high = std::min(range.high, find(bound, depth).high - 1);
      return range;
    }
    case OpKind::Select: {
      WideRange a = find(op.operand(1), depth), b = find(op.operand(2), depth);
      return WideRange{std::min(a.low, b.low), std::max(a.high, b.high)};
    }
    case OpKind::If: {
      std::optional<WideRange> either;
      for (const auto &region : op.regions) {
        const Op *end = region->terminator();
        if (!end || end->kind != OpKind::Yield) return std::nullopt;
        const WideRange one = find(end->operand(value->index), depth);
        either = either
                     ? WideRange{std::min(either->low, one.low), std::max(either->high, one.high)}
                     : one;
      }
      return either;
    }
    case OpKind::Cast: {
      if (!isNumber(op.operand(0))) return std::nullopt;
      WideRange from = find(op.operand(0), depth), to = ofType(value->type.scalar());
      if (from.low < to.low || from.high > to.high) return std::nullopt;  // wraps
      return from;
    }
    case OpKind::Clamp: {
      if (!isNumber(op.operand(0))) return std::nullopt;
      WideRange x = find(op.operand(0), depth), low = find(op.operand(1), depth),
                high = find(op.operand(2), depth);
      return WideRange{std::min(std::max(x.low, low.low), high.low),
                       std::min(std::max(x.high, low.high), high.high)};
    }
    default:
      if (!op.is(Elementwise) || op.numOperands() != 2 || !isNumber(op.operand(0)) ||
          !isNumber(op.operand(1)))
        return std::nullopt;
      return binary(op, depth);
  }
}

WideRange find(const Value *value, unsigned depth) {
  WideRange all = ofType(value->type.scalar());
  if (depth == 0) return all;
  auto range = computed(value, depth - 1);
  if (!range) return all;
  bool fits = range->low >= all.low && range->high <= all.high;
  // Numbers of fewer than 32 bits are computed in int, and wrap around when they are converted.
  if (!fits && (!isSigned(value->type.scalar()) || bitWidth(value->type.scalar()) < 32)) return all;
  // u64 constants are kept as their bits.
  if (value->type.scalar() == Scalar::U64 && range->low < 0) return all;
  if (range->low > all.high || range->high < all.low) return all;  // overflows in any case
  return {std::max(range->low, all.low), std::min(range->high, all.high)};
}

}  // namespace

bool neverFalls(const Op *loop, bool isUp) { return goesOneWay(*loop, true, kMaxDepth, isUp); }
bool neverRises(const Op *loop, bool isDown) { return goesOneWay(*loop, false, kMaxDepth, isDown); }

bool staysInType(const Op *loop) {
  return staysInType(*loop, true, kMaxDepth) || staysInType(*loop, false, kMaxDepth);
}

std::optional<Range> rangeOf(const Value *value) {
  if (!isNumber(value)) return std::nullopt;
  WideRange range = find(value, kMaxDepth);
  constexpr Wide most = std::numeric_limits<int64_t>::max();
  if (range.high > most) return std::nullopt;
  return Range{static_cast<int64_t>(range.low), static_cast<int64_t>(range.high)};
}

bool differenceFits(const Value *lhs, const Value *rhs) {
  if (!isNumber(lhs) || !isNumber(rhs)) return false;
  const WideRange a = find(lhs, kMaxDepth), b = find(rhs, kMaxDepth),
                  all = ofType(lhs->type.scalar());
  return a.low - b.high >= all.low && a.high - b.low <= all.high;
}

Distance distanceOf(const Op *loop) {
  const bool isDown = isTowards(*loop, false);
  const WideRange high = find(loop->operand(isDown ? 0 : 1), kMaxDepth),
                  low = find(loop->operand(isDown ? 1 : 0), kMaxDepth),
                  all = ofType(loop->operand(0)->type.scalar());
  if (high.high - low.low > all.high) return Distance::Unknown;
  return high.low - low.high >= all.low ? Distance::Fits : Distance::FitsIfRuns;
}

std::optional<bool> compareRanges(OpKind kind, const Value *lhs, const Value *rhs) {
  auto a = rangeOf(lhs), b = rangeOf(rhs);
  if (!a || !b) return std::nullopt;
  switch (kind) {
    case OpKind::Lt:
      if (a->high < b->low) return true;
      if (a->low >= b->high) return false;
      return std::nullopt;
    case OpKind::Le:
      if (a->high <= b->low) return true;
      if (a->low > b->high) return false;
      return std::nullopt;
    case OpKind::Gt:
      return compareRanges(OpKind::Lt, rhs, lhs);
    case OpKind::Ge:
      return compareRanges(OpKind::Le, rhs, lhs);
    case OpKind::Eq:
      if (a->high < b->low || a->low > b->high) return false;
      if (a->low == a->high && b->low == b->high) return a->low == b->low;
      return std::nullopt;
    case OpKind::Ne: {
      auto equal = compareRanges(OpKind::Eq, lhs, rhs);
      return equal ? std::optional<bool>(!*equal) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace tile2cu::passes
