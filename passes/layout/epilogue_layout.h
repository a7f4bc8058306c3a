// Layouts in which what products made is stored, or added to memory.
//
// Sums of tensor cores lie in pieces of a few elements. Where those are less than a sector of memory (32 bytes), what is stored
// goes to a layout with wide accesses first, through shared memory. Atomic additions without results are done by the L2 cache, which
// takes up to a line (128 bytes) of a warp as one request: they go to a layout of whole lines, if there is room (measured on an
// H200, of a split-K product of 86 us: half the time of the additions of single elements, and 2.9 us less than those of pairs).
// If there is not, lanes exchange elements until each adds 16 bytes at once (lane_transpose.h; on an H100, of 65 us: 2.4 us less than
// pairs).
#pragma once
#include "passes/analysis/integer/axis_info.h"
#include "passes/ir/layout.h"
#include "passes/ir/module.h"
#include "passes/target/target.h"

namespace tile2cu::passes {

// The layouts through which the sums of `store`, a store or an atomic_add, go one after the other; empty: they stay as they are.
// `spread`: that of its accesses alone.
llvm::SmallVector<ir::LayoutRef, 2> wideLayouts(ir::Kernel &kernel, llvm::ArrayRef<Target> targets,
                                                const AxisAnalysis &analysis, const ir::Op *store,
                                                const ir::LayoutRef &spread);

}  // namespace tile2cu::passes
