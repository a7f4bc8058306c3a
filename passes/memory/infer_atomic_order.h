// What atomics order beside their own sums: memory_order says it, but where nothing is to be ordered they are relaxed.
//
//   store %parts, %sum                       %old = atomic_add %count, %one {fences = acq_rel}
//   %old = atomic_add %count, %one    ==>      the store is there for whoever sees the sum, and what they had stored
//   %x = load %others                          before theirs is there for the load
//
// A release is for what the program has done before: loads of memory that somebody may write, stores, other atomics. An
// acquire is for what it does after. It is needed only where the program may know what others have done: the old value is used,
// or the kernel has a volatile load or an atomic of a weaker order whose old value is used. Atomics whose old values nobody
// uses are not ordered among themselves. `insert_barriers` synchronizes the threads there.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult infer_atomic_order(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
