// Splits a reduction into a reduction within each thread and one across threads.
//
//  %m = reduce %x {axis = 0, kind = max} : f32
//    ==>
//  %part = reduce_thread %x {axis = 0, kind = max}
//            : tile<128xf32, #<4 warps, [], 128 = lane*32 warp*4>>
//  %m = reduce_across %part {axis = 0, kind = max, buffer = 0} : f32
//
// The partial result is a tile whose axis runs over the threads that share the reduced dimension.
// The warps exchange their results in `buffer`, which is absent if one warp holds the whole
// dimension. Scans get their buffer here too. Elements past the end of a padded dimension are
// replaced by the identity.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult lower_reductions(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
