// Names shared buffers and assigns their addresses. Large buffers with disjoint lifetimes share a
// slot (a union in struct Smem). The largest ones are placed first, so that a slot takes no more
// than its largest buffer. Several smaller buffers may be placed one after another in one
// alternative of a slot: the operands of a dot may be where its accumulator is stored later.
//
//   shared @tile: f32 [512]                    shared @tile: f32 [512] slot 0
//   shared @tile: f32 [512]            ==>     shared @tile_2: f32 [512] slot 0 stack 1
//   shared @long: f32 [512]                    shared @long: f32 [512] slot 1
//   shared @sum: f32 [4]                       shared @sum: f32 [4]
//
// Here @long is live together with both tiles, which are not live together.
//
// Small buffers (the partial results of warps) do not share addresses: that would cost a barrier
// and save only a few bytes. Reports a located error if the total exceeds what the architecture
// has.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult allocate_shared(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
