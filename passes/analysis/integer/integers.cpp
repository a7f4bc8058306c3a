#include "passes/analysis/integer/integers.h"

#include <algorithm>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/cdiv.h"
#include "passes/analysis/integer/symbolic.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

// How many operations are followed from a value to those that it is made of. With the launcher's
// checks assumed, the ways are longer: from a pointer's offset to an argument.
constexpr unsigned kMostDepth = 8, kMostDepthLaunched = 24;

// Launchers refuse grids of more than INT_MAX blocks.
constexpr __int128 kMostGridBlocks = std::numeric_limits<int32_t>::max();

bool isNumber(const Value *value) {
  return !value->type.isPointer() &&
         (isInteger(value->type.scalar()) || value->type.scalar() == Scalar::Bool);
}

}  // namespace

Integers::Integers(Assume assume, std::set<const Value *> positive, int mostPrograms)
    : assume_(assume),
      positive_(std::move(positive)),
      mostPrograms_(kMostGridBlocks * mostPrograms) {}

Integers::WideRange Integers::ofType(Scalar type) {
  if (type == Scalar::Bool) return {0, 1};
  const unsigned bits = bitWidth(type);
  if (isSigned(type)) return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
  return {0, (Wide{1} << bits) - 1};
}

// Before it is cut to the type: overflow of signed values is undefined, that of others gives up.
std::optional<Integers::WideRange> Integers::binary(const Op &op) const {
  const auto corners = [](const WideRange &a, const WideRange &b) {
    const Wide all[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return WideRange{*std::min_element(all, all + 4), *std::max_element(all, all + 4)};
  };
  const WideRange a = find(op.operand(0)), b = find(op.operand(1));
  switch (op.kind) {
    case OpKind::Add:
      return WideRange{a.low + b.low, a.high + b.high};
    case OpKind::Sub:
      return WideRange{a.low - b.high, a.high - b.low};
    case OpKind::Mul: {
      constexpr Wide limit = Wide{1} << 63;  // the product of two such numbers fits
      const bool isSmall = a.low >= -limit && a.high < limit && b.low >= -limit && b.high < limit;
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
    case OpKind::Or:
    case OpKind::Xor:
      if (a.low < 0 || b.low < 0) return std::nullopt;
      return WideRange{0, ofType(op.result()->type.scalar()).high};
    case OpKind::Shr:
      if (b.low < 0 || b.low != b.high || b.high > 63) {
        if (a.low < 0) return std::nullopt;
        return WideRange{0, a.high};
      }
      return WideRange{a.low >> int(b.low), a.high >> int(b.low)};
    case OpKind::Minimum:
      return WideRange{std::min(a.low, b.low), std::min(a.high, b.high)};
    case OpKind::Maximum:
      return WideRange{std::max(a.low, b.low), std::max(a.high, b.high)};
    default:
      return std::nullopt;
  }
}

Integers::WideRange Integers::either(llvm::ArrayRef<Value *> values) const {
  WideRange all = find(values.front());
  for (const Value *value : values.drop_front()) {
    const WideRange one = find(value);
    all = {std::min(all.low, one.low), std::max(all.high, one.high)};
  }
  return all;
}

std::optional<Integers::WideRange> Integers::castOf(const Op &op) const {
  if (!isNumber(op.operand(0))) return std::nullopt;
  const WideRange from = find(op.operand(0)), to = ofType(op.result()->type.scalar());
  if (from.low >= to.low && from.high <= to.high) return from;
  if (assume_ == Assume::Nothing || !isLossless(&op)) return std::nullopt;  // may wrap around
  return WideRange{std::max(from.low, to.low), std::min(from.high, to.high)};
}

std::optional<Integers::WideRange> Integers::computed(const Value *value) const {
  if (!value->isArgument()) return computed(*value->definition, value->index);
  const Op *loop = value->owner->parent;
  if (loop && loop->kind == OpKind::For && value->index == 0) return loopVariable(*loop);
  return carried(value);
}

Integers::WideRange Integers::ofConstant(const Op &op) {
  const int64_t value = op.getInt(Attr::value);  // of a u64: its bits
  const bool isU64 = op.result()->type.scalar() == Scalar::U64;
  const Wide number = isU64 ? Wide{static_cast<uint64_t>(value)} : Wide{value};
  return {number, number};
}

static auto clamped(const auto &x, const auto &low, const auto &high) {
  return std::decay_t<decltype(x)>{std::min(std::max(x.low, low.low), high.low),
                                   std::min(std::max(x.high, low.high), high.high)};
}

std::optional<Integers::WideRange> Integers::computed(const Op &op, unsigned result) const {
  switch (op.kind) {
    case OpKind::Constant:
      return ofConstant(op);
    case OpKind::Arange:
      return WideRange{op.getInt(Attr::start), op.getInt(Attr::end) - 1};
    case OpKind::ThreadCoordinate:
      return WideRange{0, op.layout->dim(op.getInt(Attr::axis)).padded() - 1};
    case OpKind::Grid: {
      // If there are several extents, the launcher rejects products above INT_MAX, packed or not.
      const Wide most = op.numOperands() > 1 ? kMostGridBlocks : mostPrograms_;
      if (assume_ == Assume::Nothing) return WideRange{0, most};
      return WideRange{0, std::min(most, find(op.operand(result)).high) - 1};
    }
    case OpKind::ProgramId:
      return WideRange{0, std::min(mostPrograms_ - 1, ofType(op.result()->type.scalar()).high)};
    case OpKind::NumPrograms:
    case OpKind::NumSms:
      return WideRange{assume_ == Assume::Launched,
                       std::min(mostPrograms_, ofType(op.result()->type.scalar()).high)};
    case OpKind::Splat:
    case OpKind::Broadcast:
    case OpKind::ExpandDims:
    case OpKind::Reshape:
    case OpKind::Permute:
    case OpKind::Flip:
    case OpKind::Slice:
    case OpKind::Extract:
    case OpKind::Gather:
    case OpKind::Convert:
    case OpKind::Split:
    case OpKind::Deinterleave:
      return find(op.operand(0));
    case OpKind::Join:
    case OpKind::Interleave:
    case OpKind::Cat:
    case OpKind::Insert:
      return either({op.operand(0), op.operand(1)});
    case OpKind::Sort:
      return result ? WideRange{0, op.result()->type.numElements() - 1} : find(op.operand(0));
    case OpKind::Hint: {
      WideRange range = find(op.operand(0));
      if (op.has(Attr::non_negative)) range.low = std::max<Wide>(range.low, 0);
      if (const Value *bound = op.operand(HintOp::bound_optIndex))
        range.high = std::min(range.high, find(bound).high - 1);
      return range;
    }
    case OpKind::Select:
      return either({op.operand(1), op.operand(2)});
    case OpKind::If: {
      llvm::SmallVector<Value *, 2> values;
      for (const auto &region : op.regions) {
        const Op *end = region->terminator();
        if (!end || end->kind != OpKind::Yield) return std::nullopt;
        values.push_back(end->operand(result));
      }
      return either(values);
    }
    case OpKind::For:
    case OpKind::While:
      return rangeAfterLoop(op, result);
    case OpKind::Cast:
      return castOf(op);
    case OpKind::Clamp: {
      if (!isNumber(op.operand(0))) return std::nullopt;
      return clamped(find(op.operand(0)), find(op.operand(1)), find(op.operand(2)));
    }
    case OpKind::Abs: {
      if (!isNumber(op.operand(0))) return std::nullopt;
      const WideRange x = find(op.operand(0));
      return WideRange{std::max<Wide>({x.low, -x.high, 0}), std::max(x.high, -x.low)};
    }
    default:
      if (!op.is(Elementwise) || op.numOperands() != 2 || !isNumber(op.operand(0)) ||
          !isNumber(op.operand(1)))
        return std::nullopt;
      return binary(op);
  }
}

Integers::WideRange Integers::compute(const Value *value) const {
  const Scalar type = value->type.scalar();
  const WideRange all = ofType(type);
  const auto range = computed(value);
  if (!range) return all;
  const bool fits = range->low >= all.low && range->high <= all.high;
  // Numbers of fewer than 32 bits are computed in int, and wrap around when they are converted.
  if (!fits && (!isSigned(type) || bitWidth(type) < 32)) return all;
  if (range->low > all.high || range->high < all.low) return all;  // overflows in any case
  return {std::max(range->low, all.low), std::min(range->high, all.high)};
}

// Counts the operations between the value that was asked for and the present one.
class Integers::Deeper {
 public:
  explicit Deeper(unsigned &depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper &) = delete;

 private:
  unsigned &depth_;
};

Integers::WideRange Integers::find(const Value *value) const {
  const WideRange all = ofType(value->type.scalar());
  const unsigned most = assume_ == Assume::Nothing ? kMostDepth : kMostDepthLaunched;
  if (depth_ >= most) return all;
  const Op *op = value->definition;
  const bool isConstant = op && op->kind == OpKind::Constant;
  // Without the launcher's checks few operations are followed, and a value does not lead to itself.
  if (isConstant || assume_ == Assume::Nothing) {
    const Deeper deeper(depth_);
    return compute(value);
  }
  const unsigned left = most - depth_;
  {
    // A value may be asked for on the way to itself: the launcher's checks compare it with others.
    const auto [known, isNew] = known_.try_emplace(value->serial, Known{all, left, true});
    if (!isNew) {
      if (known->second.isBusy || known->second.depth >= left) return known->second.range;
      known->second.isBusy = true;
    }
  }
  const Deeper deeper(depth_);
  const WideRange range = withAssumptions(value, compute(value));
  known_[value->serial] = {range, left, false};
  return range;
}

std::optional<Range> Integers::asRange(const WideRange &range) {
  if (range.high > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return Range{static_cast<int64_t>(range.low), static_cast<int64_t>(range.high)};
}

std::optional<Range> Integers::rangeOf(const Value *value) const {
  if (!isNumber(value)) return std::nullopt;
  return asRange(find(value));
}

bool Integers::isAtLeast(const Value *value, int64_t least) const {
  return isNumber(value) && find(value).low >= least;
}

bool Integers::isNonNegative(const Polynomial &sum) const {
  return llvm::all_of(sum.terms(), [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first, [&](const Atom &atom) {
             return !atom.value || isNonNegative(atom.value);
           });
  });
}

bool Integers::differenceFits(const Value *lhs, const Value *rhs) const {
  if (!isNumber(lhs) || !isNumber(rhs)) return false;
  const WideRange a = find(lhs), b = find(rhs), all = ofType(lhs->type.scalar());
  return a.low - b.high >= all.low && a.high - b.low <= all.high;
}

std::optional<bool> Integers::compare(Compare how, const Value *lhs, const Value *rhs) const {
  if (!isNumber(lhs) || !isNumber(rhs)) return std::nullopt;
  const WideRange a = find(lhs), b = find(rhs);
  switch (how) {
    case Compare::Lt:
      if (a.high < b.low) return true;
      if (a.low >= b.high) return false;
      return std::nullopt;
    case Compare::Le:
      if (a.high <= b.low) return true;
      if (a.low > b.high) return false;
      return std::nullopt;
    case Compare::Gt:
      return compare(Compare::Lt, rhs, lhs);
    case Compare::Ge:
      return compare(Compare::Le, rhs, lhs);
    case Compare::Eq:
      if (a.high < b.low || a.low > b.high) return false;
      if (a.low == a.high && b.low == b.high) return a.low == b.low;
      return std::nullopt;
    case Compare::Ne: {
      auto equal = compare(Compare::Eq, lhs, rhs);
      return equal ? std::optional<bool>(!*equal) : std::nullopt;
    }
  }
  llvm_unreachable("every comparison is listed");
}

}  // namespace tile2cu::passes
