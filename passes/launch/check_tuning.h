// Checks whether the candidates of `tune` may run several times on the caller's memory, as timing
// does. A kernel that reads the memory that it writes computes something else the second time,
// unless `preserve` names the memory to restore before each run.
//
//   launcher @add = tune key(n) @add#0, @add#1                       (add: c[i] = c[i] + a[i])
// becomes
//   launcher @add = tune key(n) untimed @add#0, @add#1               and a warning, while
//   launcher @add = tune key(n) preserve(c, n) @add#0, @add#1        stays
//
// Two pointers may be the same memory unless one of them is __restrict__. The kernel must write the
// memory that `preserve` names.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult check_tuning(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
