// Dots on tensor cores: the arrays of registers that have the operands of mma, and their loads.
#pragma once
#include "emit/lower/context.h"
#include "passes/target/mma_instructions.h"

namespace tile2cu::emit {

// The registers that the operands of one k-step are loaded into.
struct Fragments {
  Expr a, b;          // arrays of registers, of this step
  Symbol kk;          // the step
  Expr stage;         // of the shared tiles
  Symbol batch = {};  // which dot of a batch: the loop over those of this warp
};

inline const passes::MmaShape &shapeOf(const ir::Op *dot) {
  return passes::mmaShape(*dot->get(ir::Attr::mma));
}

// The register axis that counts matrices along the rows of the accumulator; those along columns
// have the next one.
inline unsigned rowAxis(const ir::Layout &layout) { return layout.rank() - 2; }

// Whether rows of the shared tile of operand `which` run along k.
inline bool isAlongK(const ir::Op *dot, unsigned which) {
  const auto &strides = dot->getInts(which ? ir::Attr::b_strides : ir::Attr::a_strides);
  return strides[strides.size() - 1 - which] == 1;
}

// An element of an operand: its buffer at batch, row or column, and k (lower_dot.cpp).
Expr operandElement(LoweringContext &ctx, const ir::Op *op, unsigned which, const Expr &stage,
                    llvm::ArrayRef<Expr> at);
// BLOCK_K / 16, rounded up.
Expr stepsOfK(LoweringContext &ctx, const ir::Op *dot);

// ---- matrices (lower_mma_fragments.cpp)

// The loop over the matrices along an axis, if there are several.
void openMatrices(LoweringContext &ctx, const ir::Layout &layout, unsigned axis, const Symbol &var,
                  int64_t by = 1);
void closeMatrices(LoweringContext &ctx, const ir::Layout &layout, unsigned axis);
// The matrix that such a loop counts.
Expr matrixOf(LoweringContext &ctx, const Expr &array, const ir::Layout &layout, unsigned axis,
              const Symbol &var);
// Matrix i of the first operand, which is in the accumulator layout: two matrices next to each
// other.
void loadFirstInPlace(LoweringContext &ctx, const ir::Op *op, const Fragments &to, const Symbol &i);
// Loads the fragments of both operands for one k-step.
void loadOperands(LoweringContext &ctx, const ir::Op *op, const Fragments &to);

// ---- dots by mma (lower_mma.cpp) and by wgmma (lower_wgmma.cpp)

// In each k-step, loads the fragments of both operands and multiplies them. The dots of a batch
// follow one another.
void mmaShared(LoweringContext &ctx, const ir::Op *dot, const Storage &storage);
// The same, but loads the fragments of the next k-step before it multiplies. Those of the next
// stage are loaded after the stage's copies.
void mmaDoubleBuffered(LoweringContext &ctx, const ir::Op *dot, const Storage &storage);
void wgmmaShared(LoweringContext &ctx, const ir::Op *dot, const Storage &storage);

}  // namespace tile2cu::emit
