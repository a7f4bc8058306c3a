// How layouts pass through views, and which register axis of a view is which of its source.
#pragma once
#include "passes/ir/layout.h"
#include "passes/ir/op.h"

namespace tile2cu::passes {

// The layout a view's result has when its source has `source`: no data moves. Null if there is none.
ir::LayoutRef resultLayout(const ir::Op *view, const ir::Layout &source);
// The layout a view's source must have for its result to have `result`. Null if that says too little or there is none.
ir::LayoutRef sourceLayout(const ir::Op *view, const ir::Layout &result);
// Operations that make one tile of two alike ones: join, interleave, and cat of tiles of one shape.
bool isPairing(const ir::Op *op);
// The layout in which each thread makes its elements of the result from its own of the operands; null if there is none.
ir::LayoutRef pairedLayout(const ir::Op *pairing, const ir::Layout &part);
// The layout of the operands for which that is `whole`; null if there is none.
ir::LayoutRef partLayout(const ir::Op *pairing, const ir::Layout &whole);
// Which index of the result's arrays a register of operand number `which` (0, 1) has: in axis `axis` times `times` plus `offset`;
// `axis` is behind those of the operands where it is new.
struct PairedIndex {
  unsigned axis;
  int64_t times, offset;
};
PairedIndex pairedIndex(const ir::Op *pairing, const ir::Layout &part, unsigned which);

// Whether source and result layouts of this view fit without moving data.
bool isFreeView(const ir::Op *view);

// axisMap[a] is the register axis of `result` that runs with axis a of `source`, -1 where axis a has extent 1 or does not run.
// Valid for element-wise operations too (then it pairs the dimensions one to one).
llvm::SmallVector<int, 4> axisMap(const ir::Op *view, const ir::Layout &source,
                                  const ir::Layout &result);

// Whether all dimensions have the same digits.
bool sameLayout(const ir::Layout &a, const ir::Layout &b);
// And the same register axes: arrays of one form.
bool sameArrays(const ir::Layout &a, const ir::Layout &b);

// The same elements in the same threads under another shape of equal size in row-major order; null if a digit would be cut.
ir::LayoutRef reshapedLayout(const ir::Layout &source, llvm::ArrayRef<int64_t> shape);

}  // namespace tile2cu::passes
