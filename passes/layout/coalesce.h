// The layout that the loads, stores and atomics of a group need for coalesced accesses.
#pragma once
#include "passes/analysis/integer/axis_info.h"
#include "passes/layout/layout_groups.h"

namespace tile2cu::passes {

// The access that determines along which dimension vectors run: the first of those with the largest
// elements. Null if there is none.
ir::Op *anchorOf(const LayoutGroup &group);

// The number of neighbouring elements per thread: those of the widest access, but at most 16 bytes
// of the largest elements that are accessed as vectors. With more, the accesses of a warp leave
// gaps, which its next accesses fill (measured on an H200: AdamW with bf16 gradients, 8 elements
// 118 us, 4 elements 106).
int64_t vectorOf(const LayoutGroup &group, unsigned contiguous, const AxisAnalysis &analysis);

// Atomics are element-wise. They are fastest if the lanes of a warp have neighbours, so that a warp
// covers whole sectors (measured on an H200: adding bf16 rows into f32 with 8 elements per thread
// 355 us, with one 99).
bool wantsLanesSideBySide(const LayoutGroup &group, unsigned contiguous,
                          const AxisAnalysis &analysis);

}  // namespace tile2cu::passes
