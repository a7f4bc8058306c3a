// wgmmas in flight: accumulators that may remain in flight across the iterations of a loop, and the
// waits for them.
#pragma once
#include "passes/ir/builder.h"

namespace tile2cu::passes {

// Whether the dot adds to an accumulator that the loop with this body carries, and nothing else in
// the body uses it.
bool onlyAddsToCarried(const ir::Op *dot, const ir::Block &body);

// Whether something in `block` writes the shared buffer. Prefetched copies do not count.
bool isStoredIn(ir::Block &block, int64_t buffer);

// Makes all users of accumulators in flight use the completed ones. Returns the wait.
ir::Op *waitFor(ir::Builder &b, llvm::ArrayRef<ir::Value *> sums);

}  // namespace tile2cu::passes
