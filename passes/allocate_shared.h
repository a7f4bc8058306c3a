// Gives shared buffers their names and places: buffers that are never alive together share a slot (a union in struct Smem). Large
// ones choose first, so that a slot takes no more than its largest buffer, or what others of it take behind each other: operands
// of a product may stand where its sums are stored from later.
//
// Small buffers (the warps' partial results) keep places of their own: sharing them would cost a barrier and save bytes that nobody
// misses. Reports a located error when the total exceeds what the architecture has.
#pragma once
#include <set>

#include "passes/passes.h"

namespace tile2cu::passes {

llvm::LogicalResult allocate_shared(ir::Module &module, PassContext &context);

// The bytes of all buffers and barriers.
int64_t sharedBytes(const ir::Kernel &kernel);
// What they would be if the kernel got its places now, and these buffers shared theirs with none.
int64_t sharedBytesIfKept(ir::Kernel &kernel, const std::set<int64_t> &kept);

// The bytes of shared memory that a block may have.
int64_t sharedLimit(const Target &target);
// The same where `blocks` of them (0: one) share a multiprocessor, which keeps 1,024 bytes of each for itself.
int64_t sharedLimit(const Target &target, int blocks);

}  // namespace tile2cu::passes
