// Drops candidates that no launch takes, because a candidate before them takes all arguments that
// they take: each of its `require` is one of theirs. Nothing would call their kernels.
//
//   launcher @scale = select @scale#0, @scale#1           with no `require` in @scale#0
// becomes
//   launcher @scale = select @scale#0                     and a warning
//
// All candidates of `tune` are kept, because each of them may be pinned.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult drop_unreachable_candidates(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
