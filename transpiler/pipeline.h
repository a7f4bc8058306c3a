// The order of the compiler's passes.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "passes/passes.h"

namespace tile2cu::transpiler {

using PassFunction = llvm::LogicalResult (*)(ir::Module &, passes::PassContext &);

// THE list: each pass in the order it runs.
llvm::ArrayRef<PassFunction> pipeline();

}  // namespace tile2cu::transpiler
