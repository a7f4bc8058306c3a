// Sizes that know where they came from.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::ir {

// A number as the source writes it: a product of template parameters, times and over an integer,
// plus another integer.
struct Formula {
  llvm::SmallVector<std::string, 1> names;  // in the order of the source; at least one
  int64_t times = 1, over = 1;              // without a common divisor; `over` is positive
  int64_t plus = 0;
  bool operator==(const Formula &other) const = default;
  std::string str() const;  // BLOCK_K, 2*BLOCK, BLOCK_M*HEAD/64, BLOCK-1
  static std::optional<Formula> parse(llvm::StringRef text);
};

// A size, and its formula if it has one. Two sizes are equal if their values are. Arithmetic on
// values has no formula, unless it is done by the functions below.
class Dim {
 public:
  Dim(int64_t value = 1) : value_(value) {}  // NOLINT: a number is a size
  Dim(int64_t value, Formula formula)
      : value_(value), formula_(std::make_shared<const Formula>(std::move(formula))) {}

  operator int64_t() const { return value_; }  // NOLINT: a size is a number
  const Formula *formula() const { return formula_.get(); }
  bool hasFormulaOf(const Dim &other) const;
  // With the formula of `other`, unless it has one or the values differ.
  Dim orFrom(const Dim &other) const { return formula_ || value_ != other.value_ ? *this : other; }

  // BLOCK times 2 is 2*BLOCK; a sum loses its formula.
  Dim times(const Dim &factor) const;
  // 2*BLOCK over 2 is BLOCK. Only a multiple of `divisor` keeps its formula.
  Dim over(int64_t divisor) const;
  // BLOCK plus 8 is BLOCK+8.
  Dim plus(int64_t summand) const;
  Dim &operator*=(const Dim &factor) { return *this = times(factor); }
  Dim &operator/=(int64_t divisor) { return *this = over(divisor); }
  Dim &operator+=(int64_t summand) { return *this = plus(summand); }

  std::string str() const;  // 64, 64:BLOCK_K

 private:
  int64_t value_;
  std::shared_ptr<const Formula> formula_;
};

}  // namespace tile2cu::ir
