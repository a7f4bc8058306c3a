#include "passes/analysis/integer/symbolic.h"

#include <algorithm>
#include <set>

#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/value/loop_info.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

Polynomial::Polynomial(int64_t constant) {
  if (constant != 0) terms_[{}] = constant;
}

std::optional<int64_t> Polynomial::constant() const {
  if (!fits_) return std::nullopt;
  if (terms_.empty()) return 0;
  if (terms_.size() > 1 || !terms_.begin()->first.empty()) return std::nullopt;
  return terms_.begin()->second;
}

void Polynomial::add(const Monomial &monomial, int64_t factor) {
  int64_t &mine = terms_[monomial];
  fits_ &= !llvm::AddOverflow(mine, factor, mine);
  if (mine == 0) terms_.erase(monomial);
}

Polynomial operator+(Polynomial a, const Polynomial &b) {
  for (const auto &[monomial, factor] : b.terms_) a.add(monomial, factor);
  a.fits_ &= b.fits_;
  return a;
}
Polynomial operator-(Polynomial a, const Polynomial &b) {
  return std::move(a) + b * Polynomial(-1);
}
Polynomial operator*(const Polynomial &a, const Polynomial &b) {
  Polynomial result;
  result.fits_ = a.fits_ && b.fits_;
  for (const auto &[left, p] : a.terms_)
    for (const auto &[right, q] : b.terms_) {
      Polynomial::Monomial both = left;
      both.insert(both.end(), right.begin(), right.end());
      std::sort(both.begin(), both.end());
      int64_t factor = 0;
      result.fits_ &= !llvm::MulOverflow(p, q, factor);
      result.add(both, factor);
    }
  return result;
}

std::optional<Polynomial> Polynomial::dividedBy(const Polynomial &divisor) const {
  if (!fits_ || !divisor.fits_ || divisor.terms_.size() != 1) return std::nullopt;
  const auto &[factors, by] = *divisor.terms_.begin();
  Polynomial result;
  for (const auto &[monomial, factor] : terms_) {
    if (factor % by != 0) return std::nullopt;
    Monomial rest = monomial;
    for (const Atom &atom : factors) {
      auto found = std::find(rest.begin(), rest.end(), atom);
      if (found == rest.end()) return std::nullopt;
      rest.erase(found);
    }
    result.add(rest, factor / by);
  }
  return result;
}

llvm::SmallVector<unsigned, 4> dimsThrough(const Op *view) {
  llvm::SmallVector<unsigned, 4> map(view->operand(0)->type.rank());
  const auto &order = view->getInts(Attr::order);
  for (unsigned d = 0; d < map.size(); ++d)
    if (view->kind == OpKind::ExpandDims)
      map[d] = d + (d >= view->getInt(Attr::axis));
    else
      map[order[d]] = d;
  return map;
}

Polynomial withDims(const Polynomial &sum, llvm::ArrayRef<unsigned> map) {
  Polynomial result;
  for (const auto &[monomial, factor] : sum.terms()) {
    Polynomial::Monomial moved = monomial;
    for (Atom &atom : moved)
      if (!atom.value) atom.dim = map[atom.dim];
    std::sort(moved.begin(), moved.end());
    result.add(moved, factor);
  }
  return result;
}

bool Polynomial::isSmall() const {
  constexpr int64_t kLimit = int64_t{1} << 30;
  return fits_ && llvm::all_of(terms_, [](const auto &term) {
           return term.second > -kLimit && term.second < kLimit;
         });
}

// Whether this may be the polynomial of a value. INT64_MAX, as a bound that means "no limit", is an
// atom, since it is not small.
//
// The number of terms and the number of factors of each term are limited as well: n times a = a * a
// gives a product of 2^n factors, and n times a = a * (a + b) gives a sum of as many products.
static bool isOfValue(const Polynomial &sum) {
  constexpr size_t kMostTerms = 64, kMostFactors = 16;
  return sum.isSmall() && sum.terms().size() <= kMostTerms &&
         llvm::all_of(sum.terms(),
                      [](const auto &term) { return term.first.size() <= kMostFactors; });
}

std::optional<Polynomial> Symbols::of(Value *value) {
  if (auto found = known_.find(value); found != known_.end()) return found->second;
  // A cycle (an argument of a loop): the value becomes an atom.
  known_[value] = value->type.isTile() ? std::nullopt : std::optional(Polynomial(Atom{value}));
  auto result = compute(value);
  if (result && !isOfValue(*result)) result = std::nullopt;
  if (!result && !value->type.isTile()) result = Polynomial(Atom{value});
  order_.push_back(value);
  return known_[value] = result;
}

std::optional<Polynomial> Symbols::compute(Value *value) {
  if (value->isArgument()) return carried(value);
  const Op *op = value->definition;
  if (op->kind == OpKind::Constant) {
    if (value->type.isPointer() || !isInteger(value->type.scalar())) return std::nullopt;
    const Polynomial number(op->getInt(Attr::value));
    // A larger polynomial becomes an atom.
    return number.isSmall() ? std::optional(number) : std::nullopt;
  }
  if (auto sum = arithmetic(op)) return sum;
  return value->type.isTile() ? computeTile(op) : std::nullopt;
}

std::optional<Polynomial> Symbols::arithmetic(const Op *op) {
  const Type &type = op->results.size() == 1 ? op->result()->type : Type();
  auto operands = [&]() -> std::optional<std::pair<Polynomial, Polynomial>> {
    auto a = of(op->operand(0)), b = of(op->operand(1));
    if (!a || !b) return std::nullopt;
    return std::pair(*a, *b);
  };
  switch (op->kind) {
    case OpKind::AddPtr:
      if (auto both = operands()) return both->first + both->second;
      return std::nullopt;
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul: {
      if (!isSigned(type.scalar())) return std::nullopt;
      auto both = operands();
      if (!both) return std::nullopt;
      const Polynomial result = op->kind == OpKind::Add   ? both->first + both->second
                                : op->kind == OpKind::Sub ? both->first - both->second
                                                          : both->first * both->second;
      return result;
    }
    case OpKind::Hint:  // a hint that a value is not negative is kept as an atom
      if (op->getBool(Attr::non_negative) && !type.isTile()) return std::nullopt;
      return of(op->operand(0));
    case OpKind::Cast: {
      const Scalar from = op->operand(0)->type.scalar(), to = type.scalar();
      if (!isSigned(from) || !isSigned(to)) return std::nullopt;
      if (bitWidth(to) < bitWidth(from) && !Integers(Assume::Launched).isLossless(op)) {
        auto range = rangeOf(op->operand(0), Assume::Launched);
        const int64_t most = (int64_t{1} << (bitWidth(to) - 1)) - 1;
        if (!range || range->low < -most - 1 || range->high > most) return std::nullopt;
      }
      return of(op->operand(0));
    }
    default:
      return std::nullopt;
  }
}

std::optional<Polynomial> Symbols::computeTile(const Op *op) {
  switch (op->kind) {
    case OpKind::Arange: {
      Polynomial start(op->getInt(Attr::start));
      return op->result()->type.shape()[0] == 1 ? start : start + Polynomial(Atom{nullptr, 0});
    }
    case OpKind::Splat:
    case OpKind::Broadcast:
      return of(op->operand(0));
    case OpKind::ExpandDims:
    case OpKind::Permute: {
      auto source = of(op->operand(0));
      if (!source) return std::nullopt;
      return withDims(*source, dimsThrough(op));
    }
    default:
      return std::nullopt;
  }
}

// start + advance * (variable - lower) / step
std::optional<Polynomial> Symbols::carried(Value *argument) {
  Op *loop = argument->owner->parent;
  if (!loop || loop->kind != OpKind::For || argument->index == 0 || argument->type.isTile())
    return std::nullopt;
  const Op *end = argument->owner->terminator();
  if (!end || end->kind != OpKind::Yield || !exitsOf(loop, false, true).empty())
    return std::nullopt;
  // A variable that may wrap around does not determine the number of iterations.
  const Integers integers(Assume::Launched);
  if (!integers.neverFalls(loop) && !integers.neverRises(loop)) return std::nullopt;
  const unsigned i = argument->index - 1;
  auto next = of(end->operand(i)), start = of(ForOp(loop).init(i)), lower = of(ForOp(loop).lower()),
       step = of(ForOp(loop).step());
  // Polynomials in which the argument was an atom have to be computed again.
  for (auto it = known_.begin(); it != known_.end();) {
    const bool mentions = it->second && llvm::any_of(it->second->terms(), [&](const auto &term) {
                            return llvm::is_contained(term.first, Atom{argument});
                          });
    it = mentions && it->first != argument ? known_.erase(it) : std::next(it);
  }
  if (!next || !start || !lower || !step) return std::nullopt;
  const Polynomial advance = *next - Polynomial(Atom{argument});
  for (const auto &[monomial, factor] : advance.terms())
    for (const Atom &atom : monomial)
      if (!atom.value || !definedOutside(atom.value, *argument->owner)) return std::nullopt;
  auto rate = advance.dividedBy(*step);
  if (!rate) return std::nullopt;
  return *start + *rate * (Polynomial(Atom{argument->owner->argument(0)}) - *lower);
}

namespace {

// Whether `value` equals its polynomial only if that fits 64 bits.
bool saturates(const Value *value) {
  return value->definition && value->definition->getBool(Attr::saturates);
}

// Whether `value` is a number that is available before `point`.
bool isKnownAt(const Value *value, const Op *point) {
  if (value->type.isTile() || value->type.isPointer()) return false;
  const Block *home = value->home();
  if (!isInside(point->parent, *home)) return false;
  if (value->isArgument()) return true;
  return isBefore(value->definition, ancestorIn(*home, point));
}

}  // namespace

Value *Symbols::find(const Polynomial &sum, Op *point) const {
  for (Value *value : order_) {
    auto found = known_.find(value);
    if (saturates(value)) continue;
    if (found != known_.end() && found->second == sum && isKnownAt(value, point)) return value;
  }
  return nullptr;
}

Value *Symbols::findPart(const Polynomial &sum, Op *point) const {
  Value *best = nullptr;
  size_t most = 1;
  for (Value *value : order_) {
    auto found = known_.find(value);
    if (found == known_.end() || !found->second || saturates(value)) continue;
    const auto &terms = found->second->terms();
    const bool isPart = llvm::all_of(terms, [&](const auto &term) {
      const auto same = sum.terms().find(term.first);
      return same != sum.terms().end() && same->second == term.second;
    });
    if (!isPart || terms.size() <= most || !isKnownAt(value, point)) continue;
    best = value;
    most = terms.size();
  }
  return best;
}

}  // namespace tile2cu::passes
