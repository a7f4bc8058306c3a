// Proves simple inequalities of integer polynomials.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "passes/analysis/integer/symbolic.h"

namespace tile2cu::passes {

// Assumptions about the atoms of some polynomials, and their consequences.
class Inequalities {
 public:
  // The range of an atom; nullopt if it is unknown.
  struct Bounds {
    std::optional<int64_t> least, most;
  };
  // The inequalities about a single atom. Called once for each.
  using BoundsOf = std::function<Bounds(const Atom &)>;

  explicit Inequalities(BoundsOf boundsOf) : boundsOf_(std::move(boundsOf)) {}

  // `sum` is negative.
  void add(const Polynomial &sum);

  // Whether `sum` is proved to be negative. A proof replaces a product by an upper bound that a
  // known inequality implies, a few times:
  //
  //     r W + c - H W < 0   as  r < H:  r W <= (H - 1) W,  and  c < W
  bool isNegative(const Polynomial &sum) const;

 private:
  const Bounds &of(const Atom &atom) const;
  std::optional<int64_t> most(const Polynomial::Monomial &monomial, int64_t factor) const;
  // The polynomials and terms that a search may still look at.
  struct Budget {
    int searches, terms;
  };
  bool search(const Polynomial &sum, int depth, Budget &budget) const;
  bool isNonNegative(const Polynomial::Monomial &monomial) const;

  BoundsOf boundsOf_;
  mutable std::map<Atom, Bounds> bounds_;
  std::vector<Polynomial> negative_;
};

}  // namespace tile2cu::passes
