// The order of the compiler's passes.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "passes/passes.h"

namespace tile2cu::transpiler {

using PassFunction = llvm::LogicalResult (*)(ir::Module &, passes::PassContext &);

// The list of passes in the order in which they run.
llvm::ArrayRef<PassFunction> pipeline();

}  // namespace tile2cu::transpiler
