// Decides which atomics have release or acquire semantics: those that their memory_order names,
// unless nothing needs to be ordered; then they are relaxed.
//
//  store %parts, %sum                       %old = atomic %count, %one {fences = acq_rel}
//  %old = atomic %count, %one        ==>
//  %x = load %others
//
// A program that observes the result of the atomic also sees the store. The load sees the stores of
// the programs whose results this atomic has observed.
//
// A release orders earlier accesses of the program: loads of memory that another program may write,
// stores, and other atomics. An acquire orders later accesses. It is needed only if the program can
// observe what others have done: the old value is used, or the kernel has a volatile load, or an
// atomic of a weaker order whose old value is used. Atomics of one kind whose order does not matter
// (`commute`) are not ordered among themselves. `insert_barriers` synchronizes the threads there.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult infer_atomic_order(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
