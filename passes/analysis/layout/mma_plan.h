// How a dot is mapped to tensor cores: the MMA instruction, and the layout of the accumulator.
#pragma once
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "passes/ir/layout.h"
#include "passes/ir/module.h"
#include "passes/target/mma_instructions.h"
#include "passes/target/target.h"

namespace tile2cu::passes {

// A warp has I x J accumulators of the instruction's m x 8. Element (r, e) of one is in
//
//     row lane / 4 + 8 * r, column lane % 4 * 2 + e
//
// Those of double have 8 rows and no r. Rows and columns outside the tile are padding.
struct MmaPlan {
  const MmaShape *shape;
  bool isTripled = false;    // tf32x3: three MMAs for each
  int64_t groupColumns = 0;  // columns of one wgmma; 0: mma.sync by each warp
  std::string whyNoGroups;   // the reason
  ir::LayoutRef layout;      // register axes [I, J, 2, 2], or [I, J, 2]; of a batch one before them
};

// The dimension along which the tile of a load is contiguous in memory, where a caller asks about
// loads that do not have the attribute yet.
using ContiguousDims = llvm::DenseMap<const ir::Op *, unsigned>;

// The tensor-core form of a dot on every target; nullopt if there is none, with the reason. In a
// chain of dots, where the accumulator of one is an operand of the next, all warps are distributed
// over rows if possible (`rowsOnly`): then the accumulator stays in registers.
std::optional<MmaPlan> mmaPlan(const ir::Op *dot, int numWarps, llvm::ArrayRef<Target> targets,
                               bool rowsOnly, std::string &why,
                               const ContiguousDims &assumed = ContiguousDims());

// An operand as it is stored in shared memory: a transposed operand is the stored tile with
// exchanged strides.
struct DotOperand {
  ir::Value *tile;                      // the stored tile
  llvm::SmallVector<unsigned, 4> dims;  // dimension of the operand -> dimension of the tile
};
DotOperand untransposed(ir::Value *operand);
// The dimension along which a stored tile is contiguous in shared memory: the last one, or for a
// tile that TMA loads the contiguous dimension of the array.
unsigned memoryDim(const ir::Value *tile, const ContiguousDims &assumed = ContiguousDims());

// Whether all users of a tile are dots, directly or through transposes.
bool feedsOnlyDots(const ir::Value *tile);

// Whether the first operand is in registers in the layout that the instructions of `dot` need: that
// of an accumulator, with two neighbours in a register.
bool isOperandInPlace(const ir::Op *dot);

}  // namespace tile2cu::passes
