// Copies rematerializable expressions for each of their users: each copy can then take the
// layout of its user.
#pragma once
#include "passes/ir/op.h"

namespace tile2cu::passes {

// Whether that changed anything.
bool copyRematerializable(ir::Block &block);

}  // namespace tile2cu::passes
