// Estimates how many rows statements fill.
#pragma once
#include <cstddef>

#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// The estimate counts nodes. It depends neither on the length of names and rows of comments nor on
// where the printer breaks a statement.
size_t countRows(llvm::ArrayRef<Stmt> stmts);
size_t countRows(llvm::ArrayRef<FunctionParameter> parameters);

}  // namespace tile2cu::emit
