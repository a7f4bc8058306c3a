// Divisibility, contiguity and constancy of the elements of every value. Vector widths, mask forms
// and the order of a tile's dimensions in memory follow from them. The analysis changes nothing.
//
// For each dimension of a tile, with the other coordinates fixed:
//
//   contiguity    runs of this many elements count up by one (pointers: by one element)
//   divisibility  a power of two that divides the first element of each such run (integers: the
//                 value; pointers: bytes)
//   constancy     runs of this many elements are equal
//
// Runs are aligned: they begin at multiples of their length. A scalar has one dimension, of
// extent 1.
//
//   %cols = arange {start = 0, end = 1024}  contiguity 1024, divisibility 2^20 (of 0), constancy 1
//   %base = mul %row, %stride               divisibility pow2(%stride), if the launcher checks it
//   %mask = lt %cols, %n                    constancy gcd(1024, pow2(%n))
//
// Example: in `load(in + row * stride + cols, cols < n)` with the assumptions "in: 16 bytes,
// stride: 4, n: 4" the pointers have contiguity 1024 and divisibility 16 bytes, the mask has
// constancy 4: each access may move four floats at once.
#pragma once
#include <map>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "passes/analysis/integer/symbolic.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

using Assumptions = ir::Assumptions;

struct AxisInfo {
  llvm::SmallVector<int64_t, 4> contiguity, divisibility, constancy;
  std::optional<int64_t> constant;  // every element is this integer (bools: 0 or 1)

  unsigned rank() const { return contiguity.size(); }
  bool operator==(const AxisInfo &) const = default;
  // contiguity [1024] divisibility [16] constancy [1] constant 5
  std::string str() const;
};

// The largest divisibility that is recorded: that of 0.
constexpr int64_t kMaxDivisibility = int64_t{1} << 20;

class AxisAnalysis {
 public:
  AxisAnalysis(ir::Kernel &kernel, const Assumptions &assumptions);
  AxisAnalysis(const AxisAnalysis &) = delete;
  // Values created after the analysis are unknown: 1, 1, 1.
  const AxisInfo &of(const ir::Value *value) const;
  // The largest part of `divisor`, a power of two, that is known to divide a term of a polynomial.
  int64_t divisorOf(const Polynomial::Monomial &monomial, int64_t factor, int64_t divisor) const;
  // Whether it says the same of the same values.
  bool operator==(const AxisAnalysis &other) const;

 private:
  class Builder;
  // By serial number: the address of a value may be that of another one that was deleted.
  llvm::DenseMap<unsigned, AxisInfo *> infos_;
  llvm::SpecificBumpPtrAllocator<AxisInfo> stored_;
  mutable std::map<unsigned, AxisInfo> unknown_;  // by rank
};

}  // namespace tile2cu::passes
