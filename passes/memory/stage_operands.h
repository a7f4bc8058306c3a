// Brings the operands of matrix products to shared memory, where every thread can read them:
//
//   %c = dot %a, %b, %acc          shared_store %a {buffer = 0, ...}
//                              ->  shared_store %b {buffer = 1, ...}
//                                  %c = dot_shared %acc {buffers = [0, 1], ...}
//
// A transposed operand is stored as it was and read with other strides; what is known outside of a loop is stored there; the
// sums of one product that are the first operand of the next stay in registers where they lie as it takes them.
//
// Where the sizes are no multiples of what the tensor cores work on, the shared tile is larger, and shared_zero writes zeros to
// all of it once, before loops: what lies past k adds nothing. Past the last row or column anything may stand.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult stage_operands(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
