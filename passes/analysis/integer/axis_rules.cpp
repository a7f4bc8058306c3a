#include "passes/analysis/integer/axis_rules.h"

#include <numeric>

#include "passes/analysis/integer/constant_fold.h"
#include "passes/analysis/integer/integers.h"

namespace tile2cu::passes {
using namespace ir;

int64_t powerOfTwoIn(int64_t value) {
  uint64_t bits = value;
  return bits == 0 ? kMaxDivisibility : std::min<uint64_t>(bits & (~bits + 1), kMaxDivisibility);
}

int64_t unitOf(const Type &type) { return type.isPointer() ? byteWidth(type.scalar()) : 1; }

int64_t divisibilityAt(const AxisInfo &info, unsigned dim, int64_t position, int64_t unit) {
  int64_t run = info.contiguity[dim];
  if (position % run == 0) return info.divisibility[dim];
  return std::gcd(info.divisibility[dim], powerOfTwoIn(std::gcd(position, run)) * unit);
}

int64_t divisibilityOfAll(const AxisInfo &info) {
  int64_t result = 1;
  for (unsigned d = 0; d < info.rank(); ++d)
    if (info.contiguity[d] == 1) result = std::max(result, info.divisibility[d]);
  return result;
}

AxisInfo unknownInfo(const Type &type) {
  AxisInfo info;
  unsigned rank = std::max(type.rank(), 1u);
  info.contiguity.assign(rank, 1);
  info.divisibility.assign(rank, 1);
  info.constancy.assign(rank, 1);
  return info;
}

AxisInfo constantInfo(const Type &type, int64_t value) {
  AxisInfo info = unknownInfo(type);
  for (unsigned d = 0; d < info.rank(); ++d) {
    info.divisibility[d] = powerOfTwoIn(value);
    info.constancy[d] = type.isTile() ? type.shape()[d] : Dim(1);
  }
  info.constant = value;
  return info;
}

AxisInfo joinInfo(const AxisInfo &a, const AxisInfo &b, int64_t unit) {
  AxisInfo result = a;
  for (unsigned d = 0; d < a.rank(); ++d) {
    int64_t run = std::gcd(a.contiguity[d], b.contiguity[d]);
    result.contiguity[d] = run;
    result.divisibility[d] =
        std::gcd(divisibilityAt(a, d, run, unit), divisibilityAt(b, d, run, unit));
    result.constancy[d] = std::gcd(a.constancy[d], b.constancy[d]);
  }
  if (a.constant != b.constant) result.constant = std::nullopt;
  return result;
}

namespace {

// The rules for element-wise operations, for each dimension separately. Runs are aligned, so a run
// of gcd(a, b) lies inside a run of a and inside a run of b.
struct Rules {
  const Op &op;
  const Type &type;  // of the result
  OperandInfos in;
  const Integers &integers;
  AxisInfo &out;  // unknown at first
  int64_t unit = unitOf(type);
  unsigned d = 0;  // the current dimension

  int64_t c(unsigned i) const { return in[i]->contiguity[d]; }
  int64_t k(unsigned i) const { return in[i]->constancy[d]; }
  // The divisibility of operand `i` at the starts of the result's runs, in the result's unit (for
  // offsets of pointers: bytes).
  int64_t divisor(unsigned i, int64_t run) const {
    int64_t of = unitOf(op.operand(i)->type);
    int64_t found = divisibilityAt(*in[i], d, run, of);
    return std::min(found * (unit / of), kMaxDivisibility);
  }
  int64_t divisorOfEach(unsigned i) const { return divisor(i, 1); }
  bool isNonNegative(unsigned i) const { return integers.isNonNegative(op.operand(i)); }
  bool isConstant(unsigned i, int64_t value) const { return in[i]->constant == value; }

  void set(int64_t contiguity, int64_t divisibility, int64_t constancy) {
    out.contiguity[d] = contiguity;
    out.divisibility[d] = std::min(divisibility, kMaxDivisibility);
    out.constancy[d] = constancy;
  }
  int64_t equalRun() const {
    int64_t run = k(0);
    for (unsigned i = 1; i < in.size(); ++i) run = std::gcd(run, k(i));
    return run;
  }

  // Consecutive numbers l, l + 1, ... that start at a multiple of `run` for every multiple of `run`
  // elements stay between two multiples of a multiple of `run`. `divisor` divides the other
  // operand, which is constant for `constancy` elements.
  int64_t alignedRun(unsigned i, int64_t divisorOfOther, int64_t constancyOfOther) const {
    int64_t aligned = std::gcd(c(i), in[i]->divisibility[d]);
    return std::gcd(std::gcd(aligned, divisorOfOther), constancyOfOther);
  }
  // The same for two operands; 1 if the other one does not consist of runs of equal values.
  int64_t alignedRun(unsigned i, unsigned other) const {
    return c(other) > 1 ? 1 : alignedRun(i, in[other]->divisibility[d], k(other));
  }

  void add() {
    int64_t run = std::max(std::gcd(k(0), c(1)), std::gcd(c(0), k(1)));
    int64_t divisibility = std::gcd(divisor(0, run), divisor(1, run));
    // Two runs of +1: each element is the sum of the starts plus twice the distance.
    bool bothRun = run == 1 && unit == 1 && c(0) % 2 == 0 && c(1) % 2 == 0;
    if (bothRun)
      divisibility = std::gcd(int64_t{2}, std::gcd(in[0]->divisibility[d], in[1]->divisibility[d]));
    set(run, divisibility, equalRun());
  }

  void sub() {
    int64_t run = std::gcd(c(0), k(1));
    int64_t equal =
        std::max(equalRun(), std::gcd(c(0), c(1)));  // the difference of two runs of +1 is constant
    set(run, std::gcd(divisor(0, run), divisor(1, run)), equal);
  }

  void mul() {
    for (unsigned i : {0u, 1u})
      if (isConstant(i, 1)) return set(c(1 - i), in[1 - i]->divisibility[d], k(1 - i));
    set(1, divisorOfEach(0) * divisorOfEach(1), equalRun());
  }

  void div() {
    if (isConstant(1, 1)) return set(c(0), in[0]->divisibility[d], k(0));
    // C++ rounds toward zero: -4 .. -1 over 4 are -1 0 0 0.
    int64_t run = isNonNegative(0) && isNonNegative(1) ? alignedRun(0, 1) : 1;
    int64_t divisibility = 1;
    if (in[1]->constant && powerOfTwoIn(*in[1]->constant) == *in[1]->constant)
      divisibility = std::max<int64_t>(1, divisorOfEach(0) / *in[1]->constant);
    set(1, divisibility, std::max(equalRun(), run));
  }

  void rem() {
    int64_t run = isNonNegative(0) ? alignedRun(0, 1) : 1;  // the divisor's sign does not matter
    set(run, std::gcd(divisor(0, run), divisor(1, run)), equalRun());
  }

  void shl() {
    auto by = in[1]->constant;
    if (!by || *by < 0 || *by >= bitWidth(type.scalar()))
      return set(1, divisorOfEach(0), equalRun());
    if (*by == 0) return set(c(0), in[0]->divisibility[d], k(0));
    set(1, *by < 20 ? divisorOfEach(0) << *by : kMaxDivisibility, equalRun());
  }

  void shr() {
    auto by = in[1]->constant;
    if (!by || *by < 0 || *by >= bitWidth(type.scalar())) return set(1, 1, equalRun());
    if (*by == 0) return set(c(0), in[0]->divisibility[d], k(0));
    int64_t factor = *by < 20 ? int64_t{1} << *by : kMaxDivisibility;
    int64_t run = *by <= 20 ? alignedRun(0, factor, k(1)) : std::gcd(c(0), in[0]->divisibility[d]);
    // Rounds down, also negative numbers.
    set(1, std::max<int64_t>(1, divisorOfEach(0) / factor), std::max(equalRun(), run));
  }

  void bitAnd() {
    if (type.scalar() == Scalar::Bool) return set(1, 1, equalRun());
    int64_t divisibility = std::max(divisorOfEach(0), divisorOfEach(1));
    for (unsigned i : {0u, 1u}) {
      // x & 7 counts like x % 8, for negative numbers too.
      auto mask = in[i]->constant;
      if (!mask || *mask <= 0 || (*mask & (*mask + 1)) != 0) continue;
      int64_t run = alignedRun(1 - i, powerOfTwoIn(*mask + 1), k(i));
      if (run > 1) return set(run, run, equalRun());
    }
    set(1, divisibility, equalRun());
  }

  void bitOr() {
    bool isBool = type.scalar() == Scalar::Bool;
    set(1, isBool ? 1 : std::gcd(divisorOfEach(0), divisorOfEach(1)), equalRun());
  }

  // `index < bound` is uniform over a whole run if the index counts up and both start at multiples
  // of the same number. <= and > need that for bound + 1.
  void compare() {
    int64_t run = equalRun();
    bool pointers = op.operand(0)->type.isPointer();
    for (unsigned i : {0u, 1u}) {
      if (pointers || isFloat(op.operand(0)->type.scalar())) break;
      // As `operand i <compare> the other`.
      const Compare compare = i == 0 ? compareOf(op.kind) : mirrored(compareOf(op.kind));
      const bool strict = compare == Compare::Lt || compare == Compare::Ge;
      const bool inclusive = compare == Compare::Le || compare == Compare::Gt;
      if (strict) run = std::max(run, alignedRun(i, 1 - i));
      auto bound = in[1 - i]->constant;
      if (inclusive && bound && *bound != INT64_MAX)
        run = std::max(run, alignedRun(i, powerOfTwoIn(*bound + 1), k(1 - i)));
    }
    set(1, 1, run);
  }

  void select() {
    int64_t run = std::gcd(std::gcd(c(1), c(2)), k(0));
    set(run, std::gcd(divisor(1, run), divisor(2, run)), equalRun());
  }

  // If both operands count up by one, the larger one stays the larger.
  void minMax() {
    int64_t run = std::gcd(c(0), c(1));
    set(run, std::gcd(divisor(0, run), divisor(1, run)), equalRun());
  }

  void clamp() {
    int64_t run = std::gcd(std::gcd(c(0), c(1)), c(2));
    set(run, std::gcd(std::gcd(divisor(0, run), divisor(1, run)), divisor(2, run)), equalRun());
  }

  void cast() {
    const Type &from = op.operand(0)->type;
    auto isWhole = [](const Type &t) { return !t.isPointer() && isInteger(t.scalar()); };
    if (op.kind == OpKind::Bitcast && (from.isPointer() || type.isPointer()))
      return set(1, divisibilityAt(*in[0], d, 1, unitOf(from)), k(0));  // of an address, in bytes
    if (!isWhole(from) || !isWhole(type)) return set(1, 1, k(0));
    set(c(0), in[0]->divisibility[d], k(0));
  }
  // Whether every value of the operand is a value of the result's type.
  bool castIsExact() const {
    auto bits = [](Scalar s) { return bitWidth(s) - (isSigned(s) ? 1 : 0); };
    Scalar from = op.operand(0)->type.scalar(), to = type.scalar();
    return (bits(from) <= bits(to) && (isSigned(to) || !isSigned(from) || isNonNegative(0))) ||
           integers.isLossless(&op);
  }

  void hint() {
    auto given = [&](PerDimAttr key) -> int64_t {
      const Attribute *value = op.attributes.find(key);
      if (!value) return 1;
      if (auto *one = std::get_if<int64_t>(value)) return *one;
      const Ints &list = std::get<Ints>(*value);
      return d < list.size() ? list[d] : 1;
    };
    int64_t extent = type.isTile() ? type.shape()[d] : Dim(1);
    int64_t run = std::gcd(given(Attr::contiguity), extent);
    if (run < c(0)) run = c(0);
    int64_t promised =
        std::max(powerOfTwoIn(given(Attr::divisibility)), powerOfTwoIn(given(Attr::alignment)));
    set(run, std::max(divisibilityAt(*in[0], d, run, unit), promised), k(0));
  }

  void dimension() {
    if (op.is(Comparison)) return compare();
    switch (op.kind) {
      case OpKind::Add:
      case OpKind::AddPtr:
        return add();
      case OpKind::Sub:
        return sub();
      case OpKind::Mul:
        return mul();
      case OpKind::Div:
        return div();
      case OpKind::Rem:
        return rem();
      case OpKind::Shl:
        return shl();
      case OpKind::Shr:
        return shr();
      case OpKind::And:
        return bitAnd();
      case OpKind::Or:
      case OpKind::Xor:
        return bitOr();
      case OpKind::Select:
        return select();
      case OpKind::Minimum:
      case OpKind::Maximum:
        return minMax();
      case OpKind::Clamp:
        return clamp();
      case OpKind::Neg:
        return set(1, divisorOfEach(0), k(0));
      case OpKind::Abs:
        if (isNonNegative(0)) return set(c(0), in[0]->divisibility[d], k(0));
        return set(1, divisorOfEach(0), k(0));
      case OpKind::Cast:
      case OpKind::Bitcast:
        return cast();
      case OpKind::Hint:
        return hint();
      default:
        return set(1, 1, equalRun());  // equal operands give equal results
    }
  }

  // Overflow may break a run, but a run that starts at a multiple of its length does not cross the
  // end of the type, if that is such a multiple as well.
  bool mayWrap() const {
    if (type.isPointer() || !isInteger(type.scalar())) return false;
    switch (op.kind) {
      case OpKind::Add:
      case OpKind::Sub:
        return !isSigned(type.scalar()) || bitWidth(type.scalar()) < 32;
      case OpKind::Cast:
      case OpKind::Bitcast:
        return !op.operand(0)->type.isPointer() && isInteger(op.operand(0)->type.scalar()) &&
               !castIsExact();
      default:
        return false;
    }
  }
  void alignRuns() {
    const int64_t end = int64_t{1}
                        << std::min(bitWidth(type.scalar()) - isSigned(type.scalar()), 62u);
    for (d = 0; d < out.rank(); ++d) {
      int64_t run = std::gcd(std::gcd(out.contiguity[d], out.divisibility[d]), end);
      out.divisibility[d] = divisibilityAt(out, d, run, unit);
      out.contiguity[d] = run;
    }
  }

  std::optional<AxisInfo> folded() const {
    if (type.isPointer() || isFloat(type.scalar())) return std::nullopt;
    llvm::SmallVector<Const, 3> constants;
    for (unsigned i = 0; i < in.size(); ++i) {
      if (!in[i]->constant || op.operand(i)->type.isPointer()) return std::nullopt;
      constants.push_back(Const::ofInt(op.operand(i)->type.scalar(), *in[i]->constant));
    }
    auto value = fold(op, constants);
    if (!value) return std::nullopt;
    return constantInfo(type, value->integer);
  }

  void run() {
    if (auto constant = folded()) {
      out = *std::move(constant);
      return;
    }
    for (d = 0; d < out.rank(); ++d) dimension();
    if (mayWrap()) alignRuns();
  }
};

}  // namespace

AxisInfo elementwiseInfo(const Op &op, OperandInfos operands, const Integers &integers) {
  // A scalar operand (a seed) next to tiles is the same for all elements.
  const Type &type = op.result()->type;
  AxisInfo info = unknownInfo(type);
  for (const AxisInfo *operand : operands)
    if (operand->rank() != std::max(type.rank(), 1u)) return info;
  Rules{op, type, operands, integers, info}.run();
  return info;
}

}  // namespace tile2cu::passes
