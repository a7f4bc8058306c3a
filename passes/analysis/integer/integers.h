// Ranges and signs of integers, and values that are upper bounds of them. All questions about
// integers are asked here.
//
//     %k = for 0 to %n step 64            rangeOf(%k)         [0, INT_MAX - 1]
//     %id = grid %n                       exclusiveBound(%id) %n
//     require(%n <= 4096)                 rangeOf(%n)         [INT_MIN, 4096], if the launcher's
//                                                             checks may be assumed
//
// A question says what may be assumed. The operations alone prove less than the launcher's checks
// do, but they alone may decide what the launcher computes: if its checks were assumed there, they
// would always hold.
#pragma once
#include <map>
#include <optional>
#include <set>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "passes/analysis/integer/grid_factors.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

class Polynomial;

struct Range {
  int64_t low, high;  // both included
};

enum class Assume {
  Nothing,   // what the operations say
  Launched,  // a program runs: the launcher has checked its arguments (require), arrays and grid
};

// Whether the distance from the initial value of a `for` to its bound fits the type of its
// variable, if that is signed: always, at least if the loop has an iteration, or unknown.
enum class Distance { Fits, FitsIfRuns, Unknown };

// Caches answers. The kernel may change meanwhile, as long as its values stay the same.
class Integers {
 public:
  // The launcher also guarantees that the values in `positive` are at least 1. A block has at most
  // `mostPrograms` programs.
  explicit Integers(Assume assume, std::set<const ir::Value *> positive = {},
                    int mostPrograms = 32);

  // ---- ranges and signs, of integers and bools; of tiles: of each element

  // nullopt if the values do not fit int64_t. arange(0, 64) % 16: [0, 15].
  std::optional<Range> rangeOf(const ir::Value *value) const;
  bool isAtLeast(const ir::Value *value, int64_t least) const;
  bool isNonNegative(const ir::Value *value) const { return isAtLeast(value, 0); }
  // Whether every term of the sum is not negative; coordinates are not.
  bool isNonNegative(const Polynomial &sum) const;
  // Whether lhs - rhs of two signed integers of one type fits that type.
  bool differenceFits(const ir::Value *lhs, const ir::Value *rhs) const;
  // The outcome of a comparison, if it is the same for all numbers in the operands' ranges.
  std::optional<bool> compare(ir::Compare how, const ir::Value *lhs, const ir::Value *rhs) const;

  // ---- loops (integer_loops.cpp)

  // Whether no iteration of a `for` decreases (increases) its variable or wraps it around: in the
  // body it is never less (greater) than its initial value.
  bool neverFalls(const ir::Op *loop) const { return goesOneWay(*loop, true); }
  bool neverRises(const ir::Op *loop) const { return goesOneWay(*loop, false); }
  // Whether variable plus step does not overflow in any iteration of a `for` that counts towards
  // its bound.
  bool staysInType(const ir::Op *loop) const;
  Distance distanceOf(const ir::Op *loop) const;

  // ---- upper bounds (integer_bounds.cpp); only with Assume::Launched

  // An exclusive upper bound of a program id, a loop variable, a remainder, the quotient of a
  // program id by a factor of its bound, or of such a value counted from the end (bound - 1 -
  // value); null for other values.
  ir::Value *exclusiveBound(const ir::Value *value) const;
  // Whether `value` is less than `bound`.
  bool isBelow(const ir::Value *value, const ir::Value *bound) const;
  // Whether a cast of an integer to a narrower type is exact: for a program id or a remainder below
  // a bound that has the narrower type, or for a loop variable that is an int in the source.
  bool isLossless(const ir::Op *cast) const;

 private:
  using Wide = __int128;
  struct WideRange {
    Wide low, high;
  };
  struct Known {
    WideRange range;
    unsigned depth;  // the number of operations that were followed
    bool isBusy;     // being computed: `range` is the range known so far
  };
  class Deeper;

  static WideRange ofType(ir::Scalar type);
  static std::optional<Range> asRange(const WideRange &range);
  WideRange find(const ir::Value *value) const;
  WideRange compute(const ir::Value *value) const;
  std::optional<WideRange> computed(const ir::Value *value) const;
  std::optional<WideRange> computed(const ir::Op &op, unsigned result) const;
  static WideRange ofConstant(const ir::Op &op);
  std::optional<WideRange> castOf(const ir::Op &op) const;
  std::optional<WideRange> binary(const ir::Op &op) const;
  WideRange either(llvm::ArrayRef<ir::Value *> values) const;

  // ---- integer_loops.cpp
  WideRange stepOf(const ir::Op &loop, bool up) const;
  bool staysInType(const ir::Op &loop, bool up) const;
  bool goesOneWay(const ir::Op &loop, bool up) const;
  bool endsAtBound(const ir::Op &loop) const;
  bool isMultiple(const ir::Value *value, int64_t of, unsigned depth) const;
  WideRange loopVariable(const ir::Op &loop) const;
  std::optional<WideRange> carried(const ir::Value *argument) const;
  std::optional<WideRange> rangeAfterLoop(const ir::Op &loop, unsigned result) const;
  const std::set<const ir::Value *> &nonNegativeIn(const ir::Op *loop) const;

  // ---- integer_assumptions.cpp: what the launcher has checked
  static bool isRequired(const ir::Value *condition);
  WideRange withAssumptions(const ir::Value *value, WideRange range) const;
  void addAssumptions(const ir::Value *value, WideRange &range) const;
  void addCompared(const ir::Value *value, const ir::Op &compare, WideRange &range) const;
  void addConverted(const ir::Value *value, const ir::Op &cast, WideRange &range) const;

  // ---- integer_bounds.cpp
  const ir::Value *widened(const ir::Value *value) const;
  ir::Value *otherFactor(const ir::Value *product, const ir::Value *value) const;
  ir::Value *boundOfGroups(const ir::Value *value) const;
  ir::Value *boundFromEnd(const ir::Op *sub) const;
  ir::Value *boundOfQuotient(const ir::Op *div) const;
  const ir::Value *boundOfBlocks(const ir::Value *value) const;
  bool isProductBelow(const ir::Value *value, const ir::Value *bound) const;

  Assume assume_;
  std::set<const ir::Value *> positive_;
  Wide mostPrograms_;  // of a launch
  mutable unsigned depth_ = 0;
  mutable llvm::SmallDenseMap<unsigned, Known, 16> known_;  // by serial number
  mutable GridFactors factors_;
  // Values carried by loops that are never negative. During the proof: those that are assumed not
  // to be.
  mutable std::map<const ir::Op *, std::set<const ir::Value *>> nonNegative_;
};

// Whether each program executes the operation, which is in the kernel's body: none returns before.
bool isAlwaysReached(const ir::Op *op);

// Answers a single question. For several questions about one kernel, create an object.
inline std::optional<Range> rangeOf(const ir::Value *value, Assume assume) {
  return Integers(assume).rangeOf(value);
}

// Whether the loop counts up from 0, or from a position in the program's block below the bound, to
// a bound that is greater than the initial value.
bool runsForSure(const ir::Kernel &kernel, ir::Op *loop);

}  // namespace tile2cu::passes
