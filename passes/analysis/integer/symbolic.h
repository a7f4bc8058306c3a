// Scalars and index tiles as polynomials in scalars and coordinates, with constant factors.
//
//    a + (pid * 128 + row) * stride + k         =  a + 128 pid stride + d0 stride + k
//
// where d0 is the coordinate along the tile's rows.
//
// Signed arithmetic does not overflow (C++), so casts between signed widths are transparent. A
// pointer that a loop advances by the same amount in each iteration is its initial value plus a
// multiple of the loop variable. A value that is not a sum, difference or product is an atom.
#pragma once
#include <compare>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "passes/ir/op.h"

namespace tile2cu::passes {

// A factor: a scalar, or (value null) the coordinate along a dimension of the tile.
struct Atom {
  ir::Value *value = nullptr;
  unsigned dim = 0;
  bool operator==(const Atom &) const = default;
  // Coordinates first, then scalars in the order in which they were created. Printed factors and
  // terms have this order.
  std::strong_ordering operator<=>(const Atom &other) const {
    auto key = [](const Atom &atom) {
      return std::tuple(atom.value != nullptr, atom.value ? atom.value->serial : 0, atom.dim);
    };
    return key(*this) <=> key(other);
  }
};

// A polynomial whose factors need more than 64 bits is none that is known: it is not zero, not a
// constant, not small, and no multiple of another one.
class Polynomial {
 public:
  using Monomial = std::vector<Atom>;  // sorted
  Polynomial() = default;
  explicit Polynomial(int64_t constant);
  explicit Polynomial(Atom atom) { terms_[{atom}] = 1; }

  const std::map<Monomial, int64_t> &terms() const { return terms_; }
  bool isZero() const { return fits_ && terms_.empty(); }
  // Whether the factors are so small that sums and products of two such polynomials fit.
  bool isSmall() const;
  std::optional<int64_t> constant() const;  // if the polynomial has no other term
  void add(const Monomial &monomial, int64_t factor);

  friend Polynomial operator+(Polynomial a, const Polynomial &b);
  friend Polynomial operator-(Polynomial a, const Polynomial &b);
  friend Polynomial operator*(const Polynomial &a, const Polynomial &b);
  bool operator==(const Polynomial &) const = default;

  // a with a * divisor == *this, if there is one; for a divisor of one term.
  std::optional<Polynomial> dividedBy(const Polynomial &divisor) const;

 private:
  std::map<Monomial, int64_t> terms_;  // no factor is 0
  bool fits_ = true;                   // no factor has overflowed
};

class Symbols {
 public:
  // The polynomial of `value`. For a tile, in its coordinates, or nullopt if it is not a
  // polynomial. A scalar always has one: at least itself as an atom.
  std::optional<Polynomial> of(ir::Value *value);

  // A scalar that is known to be `sum` and can be used before `point`, or null.
  ir::Value *find(const Polynomial &sum, ir::Op *point) const;

  // Among the scalars that can be used before `point`, the one that equals the most terms of `sum`,
  // at least two; null if there is none.
  ir::Value *findPart(const Polynomial &sum, ir::Op *point) const;

 private:
  std::optional<Polynomial> compute(ir::Value *value);
  std::optional<Polynomial> computeTile(const ir::Op *op);
  std::optional<Polynomial> carried(ir::Value *argument);
  std::optional<Polynomial> arithmetic(const ir::Op *op);

  std::map<ir::Value *, std::optional<Polynomial>> known_;
  std::vector<ir::Value *> order_;  // in the order in which they were requested
};

// For an expand_dims or permute: the dimension of its result for each dimension of its source.
llvm::SmallVector<unsigned, 4> dimsThrough(const ir::Op *view);
// The polynomial in the coordinates of another tile, whose dimension map[d] is dimension d.
Polynomial withDims(const Polynomial &sum, llvm::ArrayRef<unsigned> map);

}  // namespace tile2cu::passes
