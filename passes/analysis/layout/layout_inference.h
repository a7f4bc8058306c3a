// How layouts pass through views, and how the register axes of a view correspond to those of its
// source.
#pragma once
#include "passes/ir/layout.h"
#include "passes/ir/op.h"

namespace tile2cu::passes {

// The layout of a view's result if its source has layout `source`: no data moves. Null if there is
// none.
ir::LayoutRef resultLayout(const ir::Op *view, const ir::Layout &source);
// The layout that a view's source needs for its result to have layout `result`. Null if that does
// not determine it, or if there is none.
ir::LayoutRef sourceLayout(const ir::Op *view, const ir::Layout &result);
// The layout of a broadcast's result in which the thread that has an element has all its copies
// along the one expanded dimension, in a new register axis; null if there is none.
ir::LayoutRef copiedLayout(const ir::Op *broadcast, const ir::Layout &source);
// Operations between one tile and its two parts of equal shape: join, interleave, cat of tiles of
// one shape, and deinterleave.
bool isPairing(const ir::Op *op);
// The tile, and the first of its parts.
ir::Value *wholeOf(const ir::Op *pairing);
ir::Value *partOf(const ir::Op *pairing, unsigned which = 0);
// The layout of the whole tile in which each thread has the elements that it has of the parts; null
// if there is none.
ir::LayoutRef pairedLayout(const ir::Op *pairing, const ir::Layout &part);
// The layout of the parts for which the layout of the whole tile is `whole`; null if there is none.
ir::LayoutRef partLayout(const ir::Op *pairing, const ir::Layout &whole);
// The index in the whole tile's arrays of a register of part `which` (0, 1): the register's index
// in axis `axis`, times `times`, plus `offset`. A new `axis` follows the axes of the parts.
struct PairedIndex {
  unsigned axis;
  int64_t times, offset;
};
PairedIndex pairedIndex(const ir::Op *pairing, const ir::Layout &part, unsigned which);

// Whether the source and result layouts of this view match without moving data.
bool isFreeView(const ir::Op *view);

// axisMap[a] is the register axis of `result` that corresponds to axis a of `source`; -1 if axis a
// has extent 1, or if there is none. For element-wise operations it pairs the dimensions one to
// one.
llvm::SmallVector<int, 4> axisMap(const ir::Op *view, const ir::Layout &source,
                                  const ir::Layout &result);

// Whether all dimensions have the same digits.
bool sameLayout(const ir::Layout &a, const ir::Layout &b);
// And whether they have the same register axes, so that their arrays have the same shape.
bool sameArrays(const ir::Layout &a, const ir::Layout &b);

// The layout with the same elements in the same threads for another shape of equal size in
// row-major order; null if a digit would have to be split.
ir::LayoutRef reshapedLayout(const ir::Layout &source, llvm::ArrayRef<ir::Dim> shape);

}  // namespace tile2cu::passes
