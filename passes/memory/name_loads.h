// Names the tiles of loads that the user did not name: after the result of a cast of the tile, or
// else after the pointer. The names appear in the emitted text.
//
//   %0 = load %p : f16 ; %x = cast %0 : f32     ==>     %x_half = load %p
//   %0 = load %p                                ==>     %a_tile = load %p       of the parameter a
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult name_loads(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
