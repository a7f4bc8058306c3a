// How a matrix product is given to the tensor cores: the instruction, and the layout of its accumulator.
#pragma once
#include <optional>

#include "passes/ir/layout.h"
#include "passes/ir/module.h"
#include "passes/target/mma_instructions.h"
#include "passes/target/target.h"

namespace tile2cu::passes {

// A warp has I x J matrices of sums of the instruction's m x 8. Element (r, e) of one is in row lane / 4 + 8 * r, column
// lane % 4 * 2 + e; matrices of double have 8 rows and no r. Rows and columns that the tile does not have are padding.
struct MmaPlan {
  const MmaShape *shape;
  bool isTripled = false;    // tf32x3: three products for each
  int64_t groupColumns = 0;  // those of one instruction of a warpgroup; 0: each warp by itself
  std::string whyNoGroups;   // why that is so
  ir::LayoutRef layout;      // register axes [I, J, 2, 2], or [I, J, 2]; of a batch one before them
};

// The tensor-core form of a dot on every target; nullopt if there is none, with the reason. In a chain of products, where the
// sums of one are an operand of the next, all warps stand over rows if they can (`rowsOnly`): then those sums stay in registers.
std::optional<MmaPlan> mmaPlan(const ir::Op *dot, int numWarps, llvm::ArrayRef<Target> targets,
                               bool rowsOnly, std::string &why);

// An operand as it stands in shared memory: transpositions are other strides of the tile that was there before.
struct DotOperand {
  ir::Value *tile;                      // what is stored
  llvm::SmallVector<unsigned, 4> dims;  // dimension of the operand -> dimension of the tile
};
DotOperand untransposed(ir::Value *operand);
// The dimension of a stored tile along which neighbours follow each other in shared memory: the last, or that of the array from which
// a bulk copy brings it.
unsigned memoryDim(const ir::Value *tile);

// Whether all that use a tile are products, through transpositions or not.
bool feedsProductsAlone(const ir::Value *tile);

// Whether the first operand lies in registers just as the instructions of `dot` take it: as sums of a product lie, two
// neighbours in a register.
bool isOperandInPlace(const ir::Op *dot);

}  // namespace tile2cu::passes
