// What the loads, stores and atomics of a layout group want of its layout.
#pragma once
#include "passes/analysis/integer/axis_info.h"
#include "passes/layout/layout_groups.h"

namespace tile2cu::passes {

// The access that says along which dimension vectors run: the first of those with the largest elements. Null if there is none.
ir::Op *anchorOf(const LayoutGroup &group);

// The elements of a thread that lie side by side: one access of 16 bytes of the widest elements. With more, the accesses of a
// warp leave gaps, which its next ones fill (measured on an H200: AdamW with bf16 gradients, 8 elements 118 us, 4 elements 106).
int64_t vectorOf(const LayoutGroup &group, unsigned fastest, const AxisAnalysis &analysis);

// Atomics are done element by element, fastest where the lanes of a warp have neighbours: whole sectors at a time (measured on
// an H200: sums of bf16 rows in f32 at 8 elements a thread 355 us, at one 99).
bool wantsLanesSideBySide(const LayoutGroup &group, unsigned fastest, const AxisAnalysis &analysis);

}  // namespace tile2cu::passes
