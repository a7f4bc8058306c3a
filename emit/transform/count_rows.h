// How much code statements are.
#pragma once
#include <cstddef>

#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// About how many rows they fill, from their nodes alone: how long a name or a comment's row is, and
// where the printer breaks a statement, does not count.
size_t countRows(llvm::ArrayRef<Stmt> stmts);
size_t countRows(llvm::ArrayRef<FunctionParameter> parameters);

}  // namespace tile2cu::emit
