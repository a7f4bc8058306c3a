// How a loop nest is divided into steps: accesses to whole vectors, and runs of operations on
// single elements between them. Each run becomes a loop over the elements of a vector.
//
//   loop nest {
//     %x = load %p, %inside {vector = 4}      access
//     %y = mul %x, %factor                    run: for (v) y[v] = x[v] * factor
//     store %q, %y, %inside {vector = 4}      access
//   }
//
// Loads and random bits whose operands are there before the loop nest, or come from such a load,
// move to the front, so that the elements form one run. A load that is not read-only stays after
// stores to global memory.
#pragma once
#include <set>
#include <vector>

#include "passes/analysis/layout/vector_axis.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

struct NestStep {
  ir::Op *access = nullptr;  // null: a run of elements
  std::vector<ir::Op *> elements = {};
};

class NestSteps {
 public:
  // `vector`: the vector axis of the loop nest's layout; none: all accesses are to elements.
  NestSteps(const ir::Kernel &kernel, const ir::Op *nest, std::optional<VectorAxis> vector);

  const std::vector<NestStep> &steps() const { return steps_; }
  unsigned numRuns() const { return numRuns_; }
  // Whether the value is in a variable. Others are computed where they are read.
  bool isKept(const ir::Value *value) const { return kept_.contains(value); }
  // Whether an access after a run computes the operation's result again, from variables.
  bool isComputedAgain(const ir::Op *op) const;

  // Whether the operation makes or takes a whole vector.
  bool isVectorAccess(const ir::Op *op) const;
  // How many elements of a vector go to shared memory at once: at most 16 bytes, which a swizzle
  // keeps together.
  int64_t sharedPiece(const ir::Op *op) const;

 private:
  bool isInside(const ir::Op *op) const;
  bool isSharedVector(const ir::Op *op) const;
  bool convertsVectors(const ir::Op *cast) const;
  bool readsResult(const ir::Op *access, const std::set<const ir::Op *> &steps) const;
  bool isAboveStores(const ir::Op *access) const;
  void keepResults();
  void keepUsedLater(llvm::ArrayRef<ir::Op *> run);
  std::vector<NestStep> inSourceOrder() const;
  std::vector<NestStep> inOrder(std::vector<NestStep> steps) const;

  const ir::Kernel &kernel_;
  const ir::Op *nest_;
  std::optional<VectorAxis> vector_;
  std::vector<NestStep> steps_;
  unsigned numRuns_ = 0;
  std::set<const ir::Value *> kept_;
  std::set<const ir::Op *> afterRuns_;  // accesses after a run of elements
};

// Whether a tile has a whole array of registers, as its layout says. The results of a reduction or
// a scan of several values are members of the elements of one array, and those of a reduction
// across threads may be some elements of an array.
bool hasWholeArray(const ir::Value *value);

}  // namespace tile2cu::passes
