// Visits the operations of a block that must not be changed.
#pragma once
#include "passes/ir/op.h"

namespace tile2cu::ir {

// Calls `visit` for every op in `block` and its regions, outer before inner, in order.
void walk(const Block &block, llvm::function_ref<void(const Op *)> visit);

}  // namespace tile2cu::ir
