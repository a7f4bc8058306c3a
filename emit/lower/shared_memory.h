// Tiles in shared memory.
#pragma once
#include <set>

#include "emit/lower/context.h"

namespace tile2cu::emit {

// The member of struct Smem for each shared buffer. The names are unique, and differ from those of
// a ring's mbarriers and of the text's own constants, which the extents of members use.
std::vector<std::string> sharedMemberNames(const ir::Kernel &kernel);
// The buffers that are arrays of rows: tiles of two dimensions, in one panel.
std::set<int64_t> sharedMatrices(const ir::Kernel &kernel);
// smem.x; of a tile in stages smem.x[stage]
Expr sharedTile(const LoweringContext &ctx, int64_t buffer, const Expr &stage = {});
// smem.x[...]: the element of a shared tile at these coordinates.
Expr sharedElement(LoweringContext &ctx, int64_t buffer, const Expr &stage, int64_t offset,
                   llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<Expr> at);
// The place of an element of the tile without `axis` in a buffer of [warps][rest]. The buffer has
// room for the padding of `written`, the layout of the tile that was written. `layout` may pad
// less, and may have the axis or not.
Expr sharedIndex(LoweringContext &ctx, const ir::Layout &layout, const ir::Layout &written,
                 unsigned axis, llvm::ArrayRef<Expr> vars);
// The members of struct Smem; the stacks of a slot as a union.
Stmts sharedMembers(LoweringContext &ctx);

}  // namespace tile2cu::emit
