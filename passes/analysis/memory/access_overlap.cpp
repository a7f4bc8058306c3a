#include "passes/analysis/memory/access_overlap.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/integer/linear_prover.h"
#include "passes/analysis/integer/mask_constraints.h"
#include "passes/analysis/memory/global_access.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Marks the second access's copy of an atom that may differ between the two accesses. Coordinates
// are distinguished by dimension.
constexpr unsigned kOther = 16;

bool isOther(const Atom &atom) { return atom.dim >= kOther; }
Atom first(Atom atom) {
  atom.dim %= kOther;
  return atom;
}

// The `for` whose variable this is, or null.
const Op *loopOf(const Value *value) {
  const Op *loop =
      value && value->isArgument() && value->index == 0 ? value->owner->parent : nullptr;
  return loop && loop->kind == OpKind::For ? loop : nullptr;
}

std::set<const Op *> loopsAround(const Op *op) {
  std::set<const Op *> loops;
  for (const Op *loop = loopAround(op->parent); loop; loop = loopAround(loop->parent))
    loops.insert(loop);
  return loops;
}

class Pair {
 public:
  Pair(Symbols &symbols, const Integers &integers, const Op *a, const Op *b)
      : symbols_(symbols), integers_(integers), a_(a), b_(b) {
    const auto around = loopsAround(b);
    for (const Op *loop : loopsAround(a))
      if (around.count(loop)) common_.insert(loop);
  }

  Overlap run() {
    const auto x = symbols_.of(a_->operand(0)), y = symbols_.of(b_->operand(0));
    if (!x || !y) return {};
    Overlap overlap;
    Polynomial difference = own(*x, false) - own(*y, true);
    if (const auto number = difference.constant(); number && *number != 0) {
      overlap.isPossible = false;
      return overlap;
    }
    // Each atom that is proved equal in both accesses may help to prove others equal.
    for (size_t known = 0;; known = same_.size()) {
      Inequalities given([&](const Atom &atom) { return boundsOf(atom); });
      addInequalities(a_, false, given);
      addInequalities(b_, true, given);
      overlap.isPossible = compare(difference, given);
      if (!overlap.isPossible) return overlap;
      if (same_.size() == known) break;
      difference = own(*x, false) - own(*y, true);
    }
    overlap.isSameStep = llvm::all_of(common_, [&](const Op *loop) { return isSettled(loop); });
    const Type &type = a_->operand(0)->type;
    overlap.isSameElement = type.isTile() && b_->operand(0)->type.isTile() &&
                            type.shape() == b_->operand(0)->type.shape();
    for (unsigned d = 0; overlap.isSameElement && d < type.rank(); ++d)
      overlap.isSameElement = type.shape()[d] == 1 || same_.count(Atom{nullptr, d});
    return overlap;
  }

 private:
  // Whether both accesses are in the same iteration of the loop: its variable is the same, or both
  // variable / n and variable % n are.
  bool isSettled(const Op *loop) const {
    if (loop->kind != OpKind::For) return false;
    const Atom variable{ForOp(loop).variable()};
    if (same_.count(variable)) return true;
    const auto divisorIn = [&](const Atom &atom, OpKind kind) -> Value * {
      const Op *op = atom.value ? atom.value->definition : nullptr;
      if (!op || op->kind != kind || symbols_.of(op->operand(0)) != Polynomial(variable))
        return nullptr;
      return definedOutside(op->operand(1), *loop->region()) ? op->operand(1) : nullptr;
    };
    return llvm::any_of(same_, [&](const Atom &quotient) {
      Value *by = divisorIn(quotient, OpKind::Div);
      return by && llvm::any_of(same_, [&](const Atom &rest) {
               Value *other = divisorIn(rest, OpKind::Rem);
               return other && symbols_.of(by) == symbols_.of(other);
             });
    });
  }

  // Whether a scalar has the same value in both accesses.
  bool isShared(const Value *value) const {
    return llvm::all_of(common_, [&](const Op *loop) {
      const bool isInside = llvm::any_of(
          loop->regions, [&](const auto &region) { return !definedOutside(value, *region); });
      return !isInside || isSettled(loop);
    });
  }

  // The constant by which a loop's variable advances, without wrapping around.
  static std::optional<int64_t> stepOf(const Op *loop) {
    const Scalar type = ForOp(loop).lower()->type.scalar();
    const auto step = constantInt(ForOp(loop).step());
    return step && *step != 0 && isSigned(type) && bitWidth(type) >= 32 ? step : std::nullopt;
  }

  // The address polynomial of the first or second access. A loop variable is lower + step * n if
  // its step is constant: the atom stands for n, the number of iterations before. Atoms that may
  // differ get the second access's own copy.
  Polynomial own(const Polynomial &sum, bool isSecond) {
    Polynomial result;
    for (const auto &[monomial, factor] : sum.terms()) {
      Polynomial product(factor);
      for (const Atom &atom : monomial) {
        Atom mine = atom;
        if (isSecond && (!atom.value || !isShared(atom.value))) mine.dim += kOther;
        const Op *loop = loopOf(atom.value);
        const auto step = loop ? stepOf(loop) : std::nullopt;
        Polynomial at(mine);
        if (step) at = at * Polynomial(*step) + own(*symbols_.of(ForOp(loop).lower()), isSecond);
        product = product * at;
      }
      result = result + product;
    }
    return result;
  }

  Inequalities::Bounds boundsOf(const Atom &atom) {
    const Atom mine = first(atom);
    if (!mine.value) {
      const Op *access = isOther(atom) ? b_ : a_;
      return {0, access->operand(0)->type.shape()[mine.dim] - 1};
    }
    if (mine.value->type.isPointer() || !isInteger(mine.value->type.scalar())) return {};
    const auto range = integers_.rangeOf(mine.value);
    const Op *loop = loopOf(mine.value);
    if (const auto step = loop ? stepOf(loop) : std::nullopt) {
      // The number of iterations before this one.
      const auto begin = constantInt(ForOp(loop).lower());
      const auto isSmall = [](int64_t number) { return llvm::isInt<42>(number); };
      if (!begin || !range || !isSmall(*begin) || !isSmall(range->low) || !isSmall(range->high))
        return {0, std::nullopt};
      return {0, ((*step > 0 ? range->high : range->low) - *begin) / *step};
    }
    Inequalities::Bounds bounds;
    if (range && range->low > INT32_MIN) bounds.least = range->low;
    if (range && range->high < INT32_MAX) bounds.most = range->high;
    return bounds;
  }

  // variable < bound, or than both if it is a minimum.
  void addBelow(const Polynomial &variable, Value *bound, bool isSecond, Inequalities &given) {
    while (bound->definition && bound->definition->kind == OpKind::Cast &&
           symbols_.of(bound) == symbols_.of(bound->definition->operand(0)))
      bound = bound->definition->operand(0);
    const Op *op = bound->definition;
    if (op && op->kind == OpKind::Minimum && isSigned(bound->type.scalar()))
      for (Value *operand : op->operands()) addBelow(variable, operand, isSecond, given);
    given.add(own(variable - *symbols_.of(bound), isSecond));
  }

  // Adds the inequalities that hold where an access is executed.
  void addInequalities(const Op *access, bool isSecond, Inequalities &given) {
    Conditions conditions;
    if (Value *mask = maskOf(access)) addConditions(mask, symbols_, conditions);
    for (const Polynomial &condition : conditions) given.add(own(condition, isSecond));
    for (const Op *loop : loopsAround(access))
      if (loop->kind == OpKind::For && ForOp(loop).compare() == Compare::Lt)
        addBelow(Polynomial(Atom{ForOp(loop).variable()}), ForOp(loop).upper(), isSecond, given);
    for (const Polynomial &condition : conditions) addQuotients(condition, isSecond, given);
  }

  // q = x / c, where x is not negative (which is so if q is 1 or more): c q <= x < c q + c, and
  // therefore q, 2 q <= x
  void addQuotients(const Polynomial &sum, bool isSecond, Inequalities &given) {
    for (const auto &[monomial, factor] : sum.terms())
      for (const Atom &atom : monomial) {
        const Op *div = atom.value ? atom.value->definition : nullptr;
        if (!div || div->kind != OpKind::Div || !isSigned(atom.value->type.scalar())) continue;
        const auto by = constantInt(div->operand(1));
        if (!by || *by <= 0) continue;
        const Polynomial quotient = own(Polynomial(atom), isSecond),
                         dividend = own(*symbols_.of(div->operand(0)), isSecond);
        if (!given.isNegative(Polynomial(0) - quotient) &&
            !given.isNegative(Polynomial(-1) - dividend))
          continue;
        for (const int64_t times : {int64_t{1}, int64_t{2}, *by})
          if (times <= *by) given.add(quotient * Polynomial(times) - dividend - Polynomial(1));
        given.add(dividend - quotient * Polynomial(*by) - Polynomial(*by));
      }
  }

  // A common divisor of the terms with these factors.
  static std::set<std::pair<Polynomial::Monomial, int64_t>> unitsOf(const Polynomial &sum) {
    std::set<std::pair<Polynomial::Monomial, int64_t>> units;
    for (const auto &[monomial, factor] : sum.terms()) {
      units.insert({{}, std::abs(factor)});
      for (const Atom &atom : monomial) {
        Polynomial::Monomial others = monomial;
        others.erase(llvm::find(others, atom));
        units.insert({others, std::abs(factor)});
        units.insert({others, 1});
      }
    }
    units.erase({{}, 1});
    return units;
  }

  // Whether a difference of addresses can be 0; records which atoms are equal if it is.
  bool compare(const Polynomial &sum, const Inequalities &given, int depth = 0) {
    if (sum.isZero() || !sum.isSmall()) return true;
    if (given.isNegative(sum) || given.isNegative(Polynomial(0) - sum)) return false;
    if (noteSame(sum) || depth > 8) return true;
    const auto units = unitsOf(sum);
    // The largest first: the most factors, then the largest number.
    std::vector<std::pair<Polynomial::Monomial, int64_t>> order(units.begin(), units.end());
    llvm::sort(order, [](const auto &a, const auto &b) {
      return std::tuple(a.first.size(), a.second, a.first) >
             std::tuple(b.first.size(), b.second, b.first);
    });
    for (const auto &[factors, number] : order) {
      Polynomial unit;
      unit.add(factors, number);
      Polynomial multiple, rest;
      for (const auto &[monomial, factor] : sum.terms()) {
        Polynomial term;
        term.add(monomial, factor);
        if (const auto times = term.dividedBy(unit))
          multiple = multiple + *times;
        else
          rest.add(monomial, factor);
      }
      if (multiple.isZero() || !given.isNegative(rest - unit) ||
          !given.isNegative(Polynomial(0) - rest - unit))
        continue;
      // Only 0 is a multiple and also closer to 0 than one multiple.
      return compare(multiple, given, depth + 1) && compare(rest, given, depth + 1);
    }
    return true;
  }

  // x - x' = 0
  bool noteSame(const Polynomial &sum) {
    if (sum.terms().size() != 2) return false;
    const auto &[one, factor] = *sum.terms().begin();
    const auto &[two, negated] = *std::next(sum.terms().begin());
    if (one.size() != 1 || two.size() != 1 || factor != -negated) return false;
    if (first(one.front()) != first(two.front())) return false;
    same_.insert(first(one.front()));
    return true;
  }

  Symbols &symbols_;
  const Integers &integers_;
  const Op *a_, *b_;
  std::set<const Op *> common_;  // loops that enclose both accesses
  std::set<Atom> same_;          // of coordinates and loop variables
};

}  // namespace

Overlap AccessOverlaps::of(const Op *a, const Op *b) {
  if (!a->is(GlobalAccess) || !b->is(GlobalAccess)) return {};
  const auto found = known_.find({a, b});
  if (found != known_.end()) return found->second;
  return known_[{a, b}] = Pair(symbols_, integers_, a, b).run();
}

}  // namespace tile2cu::passes
