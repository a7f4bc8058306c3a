// Inserts a barrier wherever threads of a program could access memory out of order.
//
// The pass goes forward over the structured program with the set of accesses since the last
// barrier. An access that conflicts with one of them gets a barrier in front. Two accesses conflict
// if one of them writes and both touch the same buffer or slot of shared memory, or global
// addresses that may be the same in different threads. A loop's body is visited twice, so that
// accesses of one iteration are compared with those of the previous one. reduce_across and scan
// write, synchronize at a barrier of their own, and read. That barrier also orders the accesses
// before it, so a second buffer needs no barrier.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult insert_barriers(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
