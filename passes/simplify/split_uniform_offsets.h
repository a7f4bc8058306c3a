// Splits the uniform part off index tiles: a 64-bit base per program and a 32-bit offset within the
// tile.
//
//   %offsets = add %start_splat, %cols64            %base = addptr %x, %start        (scalar)
//   %p = addptr %x_splat, %offsets           ==>    %p = addptr splat(%base), %cols  (i32)
//   %mask = lt %offsets, %n_splat                   %valid = clamp(%n - %start, 0, BLOCK)
//                                                   %mask = lt %cols, splat(%valid)
//
// The pass relies on signed overflow being undefined in the user's own arithmetic; unsigned values
// are left alone. Arithmetic that the pass adds does not overflow (see `Parts` in the .cpp file).
// If n - start may not fit 64 bits (n may be INT64_MAX for "no limit"), the difference saturates:
// `sub {saturates = true}`.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult split_uniform_offsets(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
