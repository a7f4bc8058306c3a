// The functions inside of a kernel's own: operations that several places start, written once.
//
//   %a = local_function ... {id = 0}      called by each `call` with its number
//   load_fragments {fragments = 0}        called by the dot with the same number, for later k-steps
//   %s = dot_shared ... {async}           a wgmma; called by equal ones after it, in its block or
//                                         further inside: the first dot of a loop, and the others
#pragma once
#include <map>
#include <vector>

#include "passes/ir/module.h"

namespace tile2cu::passes {

class TileStorage;

class LocalFunctions {
 public:
  LocalFunctions(const ir::Kernel &kernel, const TileStorage &storage);

  // The operation that declares the function which `op` calls: of equal wgmmas the first, which
  // calls it too. Null: it calls none.
  const ir::Op *calledBy(const ir::Op *op) const;
  // Those that call the function, in order.
  llvm::ArrayRef<const ir::Op *> callersOf(const ir::Op *function) const;

 private:
  void addCaller(const ir::Op *function, const ir::Op *caller);

  std::map<const ir::Op *, const ir::Op *> called_;
  std::map<const ir::Op *, std::vector<const ir::Op *>> callers_;
};

// The value that says in which stage operand `which` of a dot stands; null: it has one stage.
const ir::Value *stageOf(const ir::Op *dot, unsigned which);
// The values that say in which stages of their buffers the operands of a dot stand, each once.
llvm::SmallVector<const ir::Value *, 2> stagesOf(const ir::Kernel &kernel, const ir::Op *dot);
// Whether the fence ahead of a wgmma names its accumulator, so that nothing moves to its registers
// after the fence. Threads write it, here or ahead of its loop, or nvcc may unroll the loop: then
// it may keep the accumulator as other values, the bits that a store takes, and move these to the
// registers for its last iterations. Loops with wgmmas in flight at their end are not unrolled.
bool fenceNamesAccumulator(const TileStorage &storage, const ir::Op *dot);
// Whether the operation is part of a local function.
bool isInLocalFunction(const ir::Op *op);

}  // namespace tile2cu::passes
