// Starts the copies of a loop's operands ahead of the step that uses them (software pipelining).
//
//   for %k {                                phase 0 (%stage, %k, ...) { async_copy ... }   // the copies of one step
//     %x = load ...                         for %stage = 0 to STAGES - 1 {                 // the first steps
//     shared_store %x                         if %k0 + %stage * BLOCK_K < K { invoke 0 (%stage, ...) }
//     dot_shared %acc               ==>       async_commit
//   }                                       }
//                                           for %k, %free, %stage {
//                                             async_wait {pending = STAGES - 2}
//                                             barrier
//                                             if K - %k > (STAGES - 1) * BLOCK_K { invoke 0 (%free, ...) }
//                                             async_commit
//                                             dot_shared %acc, %stage
//                                           }
//
// A buffer has STAGES stages. One barrier a step does two jobs: it makes every thread's copies of this step visible, and
// says that nobody reads the stage that is refilled: the one of the step before. There is one group a step, empty ones too, so
// that the count of the wait is a constant.
//
// Moved ahead is a store to an operand's buffer with everything that it alone needs: loads of data that the kernel never
// writes, element-wise operations, addresses; also loads of indices. Aligned loads of 4, 8 or 16 bytes that nothing is done to
// become asynchronous copies; others are loaded and stored at once. Values that the loop carries for addresses are carried a second
// time, ahead. num_stages = 1 leaves a loop as it is.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult pipeline_copies(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
