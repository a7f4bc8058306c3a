// Candidates that no launch takes: those behind one that takes all arguments. Their kernels would be functions that nobody calls.
//
//   launcher @scale = select @scale#0, @scale#1           with no `require` in @scale#0
// becomes
//   launcher @scale = select @scale#0                     and a warning
//
// Of `tune` each may be pinned.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult drop_unreachable_candidates(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
