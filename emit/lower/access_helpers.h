// The device helpers that load, store and add in global memory. Whatever names one also says which
// widths it moves (load.cs.16: words of 16 bytes): a file has instructions for these, no others.
#pragma once
#include "emit/lower/loop_nest.h"

namespace tile2cu::emit {

// The call of an atomic's helper: tile2cu::atomic_max(pointer, value), or
// tile2cu::ordered_max<tile2cu::memory_order::release>(...) for one that orders other accesses. A
// scope other than the device is named too. No `value` for a load; `expected` only for a
// compare-and-swap.
Expr atomicCall(const ir::Op *op, const Expr &pointer, const Expr &value, const Expr &expected);
// Its old value: that of `call` where `mask` holds, and 0 elsewhere. Without a mask, the call.
Expr oldValue(const ir::Op *op, const Expr &mask, const Expr &call);
// The statement of an atomic whose old value is unused.
Stmt atomicStatement(const Expr &mask, const Expr &call);
// tile2cu::load_element_if<tile2cu::cache::cg>: the helper that loads or stores one element.
Expr elementHelper(LoweringContext &ctx, const ir::Op *op);
// tile2cu::load_prefix<VEC>: the helper that loads, stores or adds the loop nest's vector.
Expr vectorHelper(LoopNest &nest, const ir::Op *op);
// tile2cu::copy_to_shared_if<VEC>: the helper of an asynchronous copy.
Expr copyHelper(LoopNest &nest, const ir::Op *op, Level level);

}  // namespace tile2cu::emit
