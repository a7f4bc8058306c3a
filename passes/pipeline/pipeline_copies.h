// Starts the copies of a loop's operands before the iteration that uses them (software pipelining).
//
//  for %k {                     local_function 0 (%stage, %k, ...) { async_copy ... }
//    %x = load ...              for %stage = 0 to STAGES - 1 {
//    shared_store %x              if %k0 + %stage * BLOCK_K < K { call 0 (%stage, ...) }
//    dot_shared %acc    ==>       async_commit
//  }                            }
//                               for %k, %free, %stage {
//                                 async_wait %stage
//                                 barrier
//                                 if K - %k > (STAGES - 1) * BLOCK_K { call 0 (%free, ...) }
//                                 async_commit
//                                 dot_shared %acc, %stage
//                               }
//
// The local function makes the copies of one iteration; the first loop calls it for the first
// iterations. A buffer has STAGES stages. One barrier per iteration does two jobs: it makes the
// copies of all threads for this iteration visible, and it guarantees that all threads have read
// the stage that is refilled, the one of the previous iteration. Each iteration commits one group,
// even an empty one, so that a wait for a stage leaves the same number of groups in flight on each
// path (count_pending counts them).
//
// The pass moves a store to an operand's buffer together with everything that only this store
// needs: loads of data that the kernel never writes (also loads of indices), element-wise
// operations and addresses. Loads whose elements are stored unchanged become copies, which are
// asynchronous if each has 4 bytes at least: so the forms of a kernel with vectors and with single
// elements are one text. Other loads are stored to shared memory in the same iteration. If the loop
// carries values for addresses, the loop also carries a second copy of them for the iteration
// that is prefetched. num_stages = 1 leaves a loop as it is.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult pipeline_copies(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
