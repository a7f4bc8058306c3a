// Rewrites that fast floating-point math allows, and an exact one.
//
//   div %x, splat(%s)                               mul %x, splat(reciprocal %s)         (float, not under --math=precise)
//   div %x, %y                                      mul %x, (reciprocal %y)              (the same, of %y that is known to be 1 or more: 1 + exp, ...)
//   gt (mul (cast (shr %bits, 8)), 2^-24), %p  ==>  gt %bits, splat(uniform_threshold %p)     (exact: rand(...) > p)
//   load %p, %mask, %tile                           select %mask, (load %p, %mask), %tile (so that `other` is one value)
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult simplify_math(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
