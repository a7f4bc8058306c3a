// Tiles in shared memory.
#pragma once
#include "emit/lower/context.h"

namespace tile2cu::emit {

// The member of struct Smem for each shared buffer. No two have one name, nor has a member one of a
// ring's barriers or of the text's own numbers, which the extents of members mention.
std::vector<std::string> sharedMemberNames(const ir::Kernel &kernel);
// smem.x; of a tile in stages smem.x[stage]
Expr sharedTile(const LoweringContext &ctx, int64_t buffer, const Expr &stage = {});
// smem.x[...]: the element of a shared tile at these coordinates.
Expr sharedElement(LoweringContext &ctx, int64_t buffer, const Expr &stage, int64_t offset,
                   llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<Expr> at);
// Where an element of the tile without `axis` stands in a buffer of [warps][rest], with room for
// the padding of `written`, the tile that was written there: `layout` may be another one, which
// pads less, with or without the axis.
Expr sharedIndex(LoweringContext &ctx, const ir::Layout &layout, const ir::Layout &written,
                 unsigned axis, llvm::ArrayRef<Expr> vars);
// The members of struct Smem; the stacks of a slot as a union.
Stmts sharedMembers(LoweringContext &ctx);

}  // namespace tile2cu::emit
