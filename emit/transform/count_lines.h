// How long the text of statements is.
#pragma once
#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// About as many lines as there will be when they are formatted, as the body of a function.
size_t countLines(llvm::ArrayRef<Stmt> stmts);
// No fewer lines than that, whatever braces are left out. `depth`: how many blocks are around them.
size_t mostLines(llvm::ArrayRef<Stmt> stmts, size_t depth);
// A lower bound of the number of lines after formatting: statements, which are never joined.
size_t fewestLines(llvm::ArrayRef<Stmt> stmts);

}  // namespace tile2cu::emit
