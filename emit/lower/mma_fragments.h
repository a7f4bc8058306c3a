// The arrays of registers that mma takes its operands from, and where they are loaded from.
#pragma once
#include "emit/lower/lower_kernel.h"
#include "passes/target/mma_instructions.h"

namespace tile2cu::emit {

// What the operands of one step of k are loaded into.
struct KernelEmitter::Fragments {
  Expr a, b;               // arrays of registers, of this step
  std::string kk;          // the step
  Expr stage;              // of the shared tiles
  std::string batch = {};  // which product of a batch: the loop over those of this warp
};

inline const passes::MmaShape &shapeOf(const ir::Op *dot) {
  return *passes::mmaShape(dot->getString(ir::Attr::mma));
}

// The register axis that counts matrices along the rows of sums; those along columns have the next one.
inline unsigned rowAxis(const ir::Layout &layout) { return layout.rank() - 2; }

// Whether rows of the shared tile of operand `which` run along k.
inline bool isAlongK(const ir::Op *dot, unsigned which) {
  const auto &strides = dot->getInts(which ? ir::Attr::b_strides : ir::Attr::a_strides);
  return strides[strides.size() - 1 - which] == 1;
}

}  // namespace tile2cu::emit
