// The factors of a grid's extents, as those of cdiv(M, 128) * heads.
//
// Passes assume that they are positive while a program runs. For the extent itself the launcher's
// check of the extent is enough, but not for the factors of a product, two of which may be
// negative. The launcher therefore checks the factors as well, and refuses grid(cdiv(M, 128) *
// cdiv(N, 128)) with two negative sizes.
#pragma once
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "passes/ir/op.h"

namespace tile2cu::passes {

// The factors of an extent that is a product of signed numbers, constants first. Any other extent
// is its own only factor.
std::vector<const ir::Value *> factorsOf(const ir::Value *extent);

// Whether the product of such numbers fits int64_t, as far as their ranges tell.
bool productFits(const std::vector<const ir::Value *> &factors);

// Whether a value is an extent of a grid or a factor of one, so that it is at least 1 while a
// program runs. The uses of each value are visited once.
class GridFactors {
 public:
  bool contains(const ir::Value *value);

 private:
  llvm::DenseMap<unsigned, bool> known_;  // by serial number
};

}  // namespace tile2cu::passes
