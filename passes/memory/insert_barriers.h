// Inserts a barrier wherever threads of a program could access memory out of order.
//
//   shared_store %a {buffer = 0, ...}          shared_store %a {buffer = 0, ...}
//   %b = shared_load {buffer = 0, ...}   ==>   barrier {reason = "smem.tile has been written"}
//                                              %b = shared_load {buffer = 0, ...}
//
// The pass goes forward over the structured program with the set of accesses since the last
// barrier. An access that conflicts with one of them gets a barrier in front. Two accesses conflict
// if one of them writes and both touch the same buffer or slot of shared memory, or global
// addresses that may be the same in different threads. A loop's body is visited twice, so that
// accesses of one iteration are compared with those of the previous one.
//
// reduce_across, scan, and a scalar load or atomic_add with a buffer write to it, synchronize at a
// barrier of their own, and read. That barrier also orders the accesses before it, so accesses to
// other buffers before it need no further barrier.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult insert_barriers(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
