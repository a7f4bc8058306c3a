// Removes declarations of variables that nothing reads.
#pragma once
#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// Removes droppable declarations of variables that nothing mentions after them in their block, and
// comments that stood above such a declaration alone. Variables that only these declarations
// mention are removed as well.
Stmts dropUnused(Stmts stmts);

}  // namespace tile2cu::emit
