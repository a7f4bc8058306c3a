// What the launcher's checks and the grid say of signs: extents of arrays that bulk copies read are positive, programs' numbers and
// loops' variables are not negative.
#pragma once
#include <memory>
#include <set>

#include "passes/ir/module.h"
#include "passes/polynomial.h"

namespace tile2cu::passes {

// Whether an integer scalar is 0 or more in every program that runs, if the launcher sees to it that `positive` are at least 1.
bool isNonNegative(const ir::Kernel &kernel, const ir::Value *value,
                   const std::set<const ir::Value *> &positive);

// Answers for many values of one kernel: each value is looked at once. What the launcher checks is found when this is made. The kernel
// may change meanwhile, as long as its values stay what they are.
class Signs;
class KnownSigns {
 public:
  KnownSigns();  // the launcher sees to nothing
  KnownSigns(const ir::Kernel &kernel, const std::set<const ir::Value *> &positive);
  ~KnownSigns();
  bool isNonNegative(const ir::Value *value);

 private:
  std::unique_ptr<Signs> signs_;
};

// Whether every term of the sum is 0 or more; coordinates are.
bool isNonNegative(const ir::Kernel &kernel, const Polynomial &sum,
                   const std::set<const ir::Value *> &positive);

// What a program's number, a loop's variable, what is left of a division, the quotient of a program's number by a factor of its
// bound, or such a number counted from the end (bound - 1 - number) is less than; null for others.
ir::Value *exclusiveBound(const ir::Value *value);

// Whether a cast of an integer to a narrower type loses nothing: of a program's number, or what is left of a division, below a
// bound that the narrower type has; or of a loop's counter that the source has in an int.
bool isLosslessBelowBound(const ir::Op *cast);

// Whether the loop counts up to a bound that is greater than its beginning: 0, or a place in the program's block below the bound.
bool runsForSure(const ir::Kernel &kernel, ir::Op *loop);

}  // namespace tile2cu::passes
