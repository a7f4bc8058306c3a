// Removes the braces around short statements.
#pragma once
#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// Loops and branches stand without braces around one statement that fits on a line, and loops over
// registers without those around another one. `depth`: how many blocks are around the statements.
// (clang-format's RemoveBracesLLVM does this in part, and parses the text once more for it.)
void dropBraces(Stmts &stmts, size_t depth);

}  // namespace tile2cu::emit
