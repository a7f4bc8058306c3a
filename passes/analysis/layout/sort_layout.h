// The layout in which a tile is sorted.
#pragma once
#include "passes/ir/layout.h"
#include "passes/ir/op.h"

namespace tile2cu::passes {

// Each thread has V consecutive elements of a row, in the last register axis, V a power of two.
// Rows of up to 32 * V elements are in the lanes of a warp; longer ones take all warps, one row
// after another:
//
//   1000 = r0*8 lane*32 warp*4         16, 128 = lane/8*4 warp*4, r0*16 lane*8
//
// Rows are padded to whole threads. `kept` elements of a row are wanted, all or the first of them;
// those fit in a warp.
ir::LayoutRef sortLayout(llvm::ArrayRef<ir::Dim> shape, unsigned axis, int numWarps, int64_t kept);

// The digits of the axis in such a layout.
struct SortedRow {
  int64_t elements;                          // of a thread: V
  ir::Digit lanes{ir::Unit::Lane, 0, 1, 1};  // those of a row
  ir::Digit warps{ir::Unit::Warp, 0, 1, 1};
};
// Null if the layout is not of this form.
std::optional<SortedRow> sortedRow(const ir::Layout &layout, unsigned axis);

// Where the first elements of a row are that a sort keeps. Groups of lanes have copies of them.
struct KeptKeys {
  int64_t count;     // a power of two
  int64_t lanes;     // that share them
  int64_t ofThread;  // consecutive ones
};
// Null if all elements are kept.
std::optional<KeptKeys> keptKeys(const ir::SortOp &sort);
// The layout of the results of a sort whose operand is in such a layout.
ir::LayoutRef sortedLayout(const ir::Layout &layout, unsigned axis, const ir::Dim &kept);

// Whether it is faster to keep the first elements of a row alone than to sort it.
bool canKeepFirst(int64_t size, int64_t kept);

}  // namespace tile2cu::passes
