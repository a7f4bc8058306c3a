// One kernel: its signature, then its body statement by statement.
#pragma once
#include "frontend/kernels/tile_function.h"

namespace tile2cu::frontend {

void lowerKernel(clang::ASTContext &context, SourceText &source, const KernelRequest &request,
                 ir::Kernel &kernel, ir::Diagnostics &diagnostics);

}  // namespace tile2cu::frontend
