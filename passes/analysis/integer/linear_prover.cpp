#include "passes/analysis/integer/linear_prover.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tile2cu::passes {
namespace {

using Wide = __int128;
constexpr Wide kLimit = Wide{1} << 62;
constexpr int kMaxDepth = 4;
// A search looks at so many polynomials and terms at most. Proofs that are found in the
// examples, benches and tests compare fewer than 300 terms with others.
constexpr int kMostSearches = 400, kMostTerms = 5'000;

// `monomial` without the factors of `divisor`, if it has all of them.
std::optional<Polynomial::Monomial> quotient(const Polynomial::Monomial &monomial,
                                             const Polynomial::Monomial &divisor) {
  Polynomial::Monomial rest = monomial;
  for (const Atom &atom : divisor) {
    const auto found = llvm::find(rest, atom);
    if (found == rest.end()) return std::nullopt;
    rest.erase(found);
  }
  return rest;
}

}  // namespace

const Inequalities::Bounds &Inequalities::of(const Atom &atom) const {
  const auto found = bounds_.find(atom);
  if (found != bounds_.end()) return found->second;
  return bounds_[atom] = boundsOf_(atom);
}

// The maximum of factor * monomial.
std::optional<int64_t> Inequalities::most(const Polynomial::Monomial &monomial,
                                          int64_t factor) const {
  // The bounds of the product; without `high` it has no upper bound.
  Wide low = 1;
  std::optional<Wide> high = 1;
  for (const Atom &atom : monomial) {
    const Bounds &bounds = of(atom);
    if (high && bounds.least && bounds.most) {
      const Wide corners[] = {low * *bounds.least, low * *bounds.most, *high * *bounds.least,
                              *high * *bounds.most};
      low = *std::min_element(corners, corners + 4);
      high = *std::max_element(corners, corners + 4);
    } else if (low >= 0 && bounds.least && *bounds.least >= 0) {
      low *= *bounds.least;
      high.reset();
    } else {
      return std::nullopt;
    }
    if (low > kLimit || low < -kLimit) return std::nullopt;
    if (high && (*high > kLimit || *high < -kLimit)) return std::nullopt;
  }
  if (factor > 0 && !high) return std::nullopt;
  const Wide product = (factor > 0 ? *high : low) * factor;
  if (product > kLimit || product < -kLimit) return std::nullopt;
  return static_cast<int64_t>(product);
}

bool Inequalities::isNonNegative(const Polynomial::Monomial &monomial) const {
  return llvm::all_of(monomial, [&](const Atom &atom) {
    const Bounds &bounds = of(atom);
    return bounds.least && *bounds.least >= 0;
  });
}

void Inequalities::add(const Polynomial &sum) {
  if (!sum.isSmall()) return;
  negative_.push_back(sum);
  // rest - x < 0: x is at least one more than the rest.
  for (const auto &[monomial, factor] : sum.terms()) {
    if (monomial.size() != 1 || factor != -1) continue;
    Wide least = 1;
    bool isKnown = true;
    for (const auto &[other, number] : sum.terms()) {
      if (other == monomial) continue;
      const auto negated = most(other, -number);
      isKnown &= negated.has_value();
      if (negated) least -= *negated;
    }
    if (!isKnown || least < -kLimit || least > kLimit) continue;
    Bounds bounds = of(monomial.front());
    bounds.least = std::max<int64_t>(bounds.least.value_or(static_cast<int64_t>(least)),
                                     static_cast<int64_t>(least));
    bounds_[monomial.front()] = bounds;
  }
}

bool Inequalities::search(const Polynomial &sum, int depth, Budget &budget) const {
  budget.terms -= int(sum.terms().size());
  if (--budget.searches < 0 || budget.terms < 0 || !sum.isSmall()) return false;
  Wide total = 0;
  llvm::SmallVector<std::pair<Polynomial::Monomial, int64_t>, 4> unknown, positive;
  for (const auto &[monomial, factor] : sum.terms()) {
    const auto part = most(monomial, factor);
    if (!part)
      unknown.emplace_back(monomial, factor);
    else if (*part > 0 && !monomial.empty())
      positive.emplace_back(monomial, factor);
    total += part.value_or(0);
  }
  if (unknown.empty() && total < 0) return true;
  if (depth == 0) return false;
  // Atoms with unknown ranges have to be replaced: start with one of them.
  if (!unknown.empty()) positive = {unknown.front()};
  for (const auto &[monomial, factor] : positive)
    for (const Polynomial &known : negative_)
      for (const auto &[part, number] : known.terms()) {
        if (--budget.terms < 0) return false;
        if (part.empty() || factor % number != 0 || factor / number <= 0) continue;
        const auto others = quotient(monomial, part);
        if (!others || !isNonNegative(*others)) continue;
        Polynomial times;
        times.add(*others, factor / number);
        // known + 1 <= 0
        if (search(sum - times * (known + Polynomial(1)), depth - 1, budget)) return true;
      }
  return false;
}

bool Inequalities::isNegative(const Polynomial &sum) const {
  Budget budget{kMostSearches, kMostTerms};
  return search(sum, kMaxDepth, budget);
}

}  // namespace tile2cu::passes
