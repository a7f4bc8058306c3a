// Takes out declarations of numbers that nobody reads.
#pragma once
#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// The statements without droppable declarations of variables that nothing behind them in their
// block mentions, and without the comments that stood above such a declaration alone. What only
// these mention goes, too.
Stmts dropUnused(Stmts stmts);

}  // namespace tile2cu::emit
