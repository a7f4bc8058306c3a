// Puts a barrier wherever threads of a program could meet in memory out of order.
//
// Forward over the structured program, with the set of accesses since the last barrier: an access that
// conflicts with one of them (same buffer or slot of shared memory, or global addresses that may be the same in another
// thread, and one of the two writes) gets a barrier in front. A loop's body is looked at twice, so that an iteration meets the one
// before. reduce_across and scan write, meet at a barrier of their own, and read: what came before is settled by that
// barrier, and so a second buffer needs none.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult insert_barriers(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
