// Layouts in which results of dots are stored or atomically added to memory.
//
// In an accumulator of the tensor cores a thread has runs of a few contiguous elements. If such
// runs are smaller than a sector of memory (32 bytes), a tile to be stored is first converted to a
// layout for its accesses alone, through shared memory: vectors, or single elements of which a warp
// writes those of one row. It is stored as it is where nothing is known of the addresses, or where
// tiles as large, from which they or the mask are computed, would be converted as well.
//
// Atomics whose result is unused are executed by the L2 cache, which takes up to a cache
// line (128 bytes) of a warp as one request. They are converted to a layout of whole cache lines if
// shared memory has room (measured on an H200 with a split-K matmul of 86 us: the additions take
// half the time of single elements, and 2.9 us less than pairs). If there is no room, lanes
// exchange elements until each lane adds 16 bytes at once (lane_transpose.h; measured on an H100
// with a matmul of 65 us: 2.4 us less than pairs).
#pragma once
#include "passes/analysis/integer/axis_info.h"
#include "passes/ir/layout.h"
#include "passes/ir/module.h"
#include "passes/target/target.h"

namespace tile2cu::passes {

// The layouts to which the value of `store`, a store or an atomic, is converted one after the
// other. Empty: no conversion. `alone`: the layout for its accesses alone.
llvm::SmallVector<ir::LayoutRef, 2> wideLayouts(ir::Kernel &kernel, llvm::ArrayRef<Target> targets,
                                                const AxisAnalysis &analysis, const ir::Op *store,
                                                const ir::LayoutRef &alone);

}  // namespace tile2cu::passes
