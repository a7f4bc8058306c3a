// The factors of the extents of a grid, such as cdiv(M, 128) and heads of cdiv(M, 128) * heads.
//
// Passes assume that they are positive while a program runs. For an extent itself the launcher's
// check of the extent is enough, but not for the factors of a product, two of which may be
// negative. The launcher therefore checks the factors as well, and rejects grid(cdiv(M, 128) *
// cdiv(N, 128)) with two negative sizes.
#pragma once
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "passes/ir/op.h"

namespace tile2cu::passes {

// The factors of an extent that is a product of signed numbers, constants first. Any other extent
// is its own only factor.
std::vector<const ir::Value *> factorsOf(const ir::Value *extent);

// Whether the ranges of such numbers show that their product fits int64_t.
bool productFits(const std::vector<const ir::Value *> &factors);

// Whether the launcher, which computes such a number in 64 bits, never finds more than INT_MAX: an
// int, or what only makes one smaller. The sum of two ints may be more.
bool isAtMostIntMax(const ir::Value *number);

// Whether a value is an extent of a grid or a factor of one, so that it is at least 1 while a
// program runs. The uses of each value are visited once.
class GridFactors {
 public:
  bool contains(const ir::Value *value);

 private:
  llvm::DenseMap<unsigned, bool> known_;  // by serial number
};

}  // namespace tile2cu::passes
