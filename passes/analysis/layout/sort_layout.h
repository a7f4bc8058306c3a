// The layout in which a tile is sorted.
#pragma once
#include "passes/ir/layout.h"

namespace tile2cu::passes {

// Each thread has V consecutive elements of a row, in the last register axis, V a power of two.
// Rows of up to 32 * V elements are in the lanes of a warp; longer ones take all warps, one row
// after another:
//
//   1000 = r0*8 lane*32 warp*4         16, 128 = lane/8*4 warp*4, r0*16 lane*8
//
// Rows are padded to whole threads.
ir::LayoutRef sortLayout(llvm::ArrayRef<ir::Dim> shape, unsigned axis, int numWarps);

// The digits of the axis in such a layout.
struct SortedRow {
  int64_t elements;                          // of a thread: V
  ir::Digit lanes{ir::Unit::Lane, 0, 1, 1};  // those of a row
  ir::Digit warps{ir::Unit::Warp, 0, 1, 1};
};
// Null if the layout is not of this form.
std::optional<SortedRow> sortedRow(const ir::Layout &layout, unsigned axis);

}  // namespace tile2cu::passes
