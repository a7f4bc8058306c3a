// Small proofs about sums of products of integers.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "passes/analysis/integer/symbolic.h"

namespace tile2cu::passes {

// What is known of the atoms of some sums, and what follows from it.
class Inequalities {
 public:
  // How small and how great an atom can be; nullopt: nothing is known.
  struct Bounds {
    std::optional<int64_t> least, most;
  };
  // What is known of an atom by itself. It is asked once for each.
  using BoundsOf = std::function<Bounds(const Atom &)>;

  explicit Inequalities(BoundsOf boundsOf) : boundsOf_(std::move(boundsOf)) {}

  // `sum` is negative.
  void add(const Polynomial &sum);

  // Whether it is proved that `sum` is negative. A proof replaces a product by what a known inequality says is more, a few times:
  //
  //     r W + c - H W < 0   as  r < H:  r W <= (H - 1) W,  and  c < W
  bool isNegative(const Polynomial &sum) const;

 private:
  const Bounds &of(const Atom &atom) const;
  std::optional<int64_t> most(const Polynomial::Monomial &monomial, int64_t factor) const;
  bool search(const Polynomial &sum, int depth, int &budget) const;
  bool isNonNegative(const Polynomial::Monomial &monomial) const;

  BoundsOf boundsOf_;
  mutable std::map<Atom, Bounds> bounds_;
  std::vector<Polynomial> negative_;
};

}  // namespace tile2cu::passes
