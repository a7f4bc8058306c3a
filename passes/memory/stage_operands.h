// Stores the operands of dots to shared memory, where every thread can read them:
//
//   %c = dot %a, %b, %acc          shared_store %a {buffer = 0, ...}
//                              ->  shared_store %b {buffer = 1, ...}
//                                  %c = dot_shared %acc {buffers = [0, 1], ...}
//
// A transposed operand is stored untouched and read with exchanged strides. An operand that is
// computed outside of a loop is stored there. An accumulator of one dot that is the first operand
// of the next dot stays in registers if its layout is the one that the operand needs.
//
// If a size is not a multiple of the tile that the tensor cores work on, the shared tile is larger,
// and shared_zero fills it with zeros once, before loops: elements past k then add nothing.
// Elements past the last row or column may have any value.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult stage_operands(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
