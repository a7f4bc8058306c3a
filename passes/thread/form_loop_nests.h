// Groups operations on tiles of one layout into loop nests: each is one loop over a thread's
// registers.
//
//  %x = load ...                           %x = nest { load; yield }
//  %e = exp (sub %x, %m)            ==>    %e, %s = nest { sub; exp; reduce_thread; yield }
//  %s = reduce_thread %e
//
// Values inside a loop nest live in scalar registers. Only values that a later loop nest needs
// become arrays (the results of the loop nest). Rematerializable operations (rematerializable.h)
// are copied into every loop nest that uses them.
//
// Loads of a tile form loop nests of their own, so that all of them are in flight before the first
// use. The exception is a load that would have to wait in registers next to a tile that is live
// already, and that is only needed to store that tile (the weights of a row): it stays at its use.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult form_loop_nests(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
