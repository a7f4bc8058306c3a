// The factors of a grid's extents, as those of cdiv(M, 128) * heads.
//
// Passes take them as positive where a program runs. Of an extent, its sign says so. Of the factors of a product it does not: two of
// them may be negative. The launcher checks them, too, and refuses grid(cdiv(M, 128) * cdiv(N, 128)) of two negative sizes.
#pragma once
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "passes/ir/op.h"

namespace tile2cu::passes {

// The factors of an extent that is a product of signed numbers, constants first. Any other is its only factor.
std::vector<const ir::Value *> factorsOf(const ir::Value *extent);

// Whether the product of such numbers fits int64_t, as far as their ranges tell.
bool productFits(const std::vector<const ir::Value *> &factors);

// Whether a value is an extent of a grid or a factor of one: it is 1 or more where a program runs. What each value is used for is
// looked at once.
class GridFactors {
 public:
  bool contains(const ir::Value *value);

 private:
  llvm::DenseMap<unsigned, bool> known_;  // by serial number
};

}  // namespace tile2cu::passes
