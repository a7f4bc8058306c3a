// One kernel: its signature, then its body statement by statement.
#pragma once
#include "frontend/kernels/tile_function.h"

namespace tile2cu::frontend {

// Structs that the kernel takes are added to `records`. `checks`: see FrontendOptions.
void lowerKernel(clang::ASTContext &context, SourceText &source, const KernelRequest &request,
                 ir::Kernel &kernel, std::vector<ir::Record> &records, bool checks,
                 ir::Diagnostics &diagnostics);

}  // namespace tile2cu::frontend
