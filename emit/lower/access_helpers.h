// The device helpers that load, store and add in global memory.
#pragma once
#include "emit/lower/context.h"

namespace tile2cu::emit {

// The helper of an atomic operation: `relaxed`, or `ordered`<tile2cu::memory_order::release> for
// one that orders other accesses or whose scope is wider than the device.
Expr atomicHelper(const ir::Op *op, const char *relaxed, const char *ordered);
// tile2cu::load_element_if<tile2cu::cache::cg>: the helper that loads or stores one element.
Expr elementHelper(LoweringContext &ctx, const ir::Op *op);
// The cache operator of a load or store, as an argument of its helper's template; none for the
// usual one.
Expr cacheArgument(LoweringContext &ctx, const ir::Op *op);

}  // namespace tile2cu::emit
