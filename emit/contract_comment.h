// The comment above a kernel: what a caller and a reader can rely on.
#pragma once
#include <string>

#include "emit/emit.h"
#include "emit/kernel/kernel_group.h"

namespace tile2cu::emit {

// `repeatsComment`: an earlier kernel of the file has the user's comment already.
Stmts contractComment(const KernelGroup &group, const EmitOptions &options, bool repeatsComment);

}  // namespace tile2cu::emit
