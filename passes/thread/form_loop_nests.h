// Groups operations on tiles of one layout into nests: one loop over a thread's registers each.
//
//   %x = load ...                                   %x = nest { load; yield }
//   %e = exp (sub %x, %m)                ==>        %e, %s = nest { sub; exp; reduce_thread; yield }
//   %s = reduce_thread %e
//
// Values live in registers of the nest's body; only those that a later nest needs become arrays (the nest's results). Cheap
// trees (rematerializable.h) are copied into every nest that uses them.
//
// Loads of a tile form nests of their own, so that all of them are in flight before the first use. The exception are
// loads that would have to wait in registers beside a tile that is live already, and are only needed to store it (a row's
// weights): they stay in the nest that uses them.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult form_loop_nests(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
