// Products of warpgroups in flight: sums that may stay so over the steps of a loop, and waits for them.
#pragma once
#include "passes/ir/builder.h"

namespace tile2cu::passes {

// Whether the product adds to sums that the loop with this body carries, and with which the step does nothing else.
bool onlyAddsToCarried(const ir::Op *dot, const ir::Block &body);

// Whether something in `block` writes the buffer of shared memory; what copies ahead bring is not counted.
bool isStoredIn(ir::Block &block, int64_t buffer);

// All that use sums in flight use them complete. Returns the wait, which leaves the `pending` newest products in flight.
ir::Op *waitFor(ir::Builder &b, ir::Value *sums, int64_t pending = 0);

}  // namespace tile2cu::passes
