// Rewrites that fast floating-point math allows, and some exact ones:
//
//  div %x, splat(%s)                               mul %x, splat(reciprocal %s)
//  div %x, %y                                ==>   mul %x, (reciprocal %y)
//  gt (mul (cast (shr %bits, 8)), 2^-24), %p       gt %bits, splat(uniform_threshold %p)
//  load %p, %mask, %tile                           select %mask, (load %p, %mask), %tile
//
// The divisions are of floats, not under --math=precise; in the second one, %y is known to be 1 or
// more (1 + exp, ...). The comparison, of rand(...) > p, is exact. After the last rewrite, `other`
// of loads is a single value.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult simplify_math(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
