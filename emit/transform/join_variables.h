// Makes one variable of variables that are copies of one another.
#pragma once
#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// Lowering gives each result of a branch a variable of its own, which both sides assign:
//
//   int hits_2;
//   if (v > 0) {                        if (v > 0) {
//     hits_2 = hits + 1;                  hits += 1;
//   } else {                     ->     }
//     hits_2 = hits;
//   }
//   hits = hits_2;
//
// Two scalar variables that want the same name and have the same type become one if one of them is
// copied to the other, and neither is written while the value of the other is still to be read.
// The copies, and sides of branches that held only these, vanish.
Stmts joinVariables(Stmts stmts);

}  // namespace tile2cu::emit
