// The comment above a kernel: what a caller and a reader can rely on.
#pragma once
#include <string>

#include "emit/emit.h"
#include "emit/transform/merge_kernels.h"

namespace tile2cu::emit {

Stmts contractComment(const KernelGroup &group, const EmitOptions &options);

}  // namespace tile2cu::emit
