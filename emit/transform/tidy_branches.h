// Makes branches shorter.
#pragma once
#include "emit/cuda/ast.h"

namespace tile2cu::emit {

//   float scale;
//   if (hits > 3) {                    float scale = 1.0f;
//     scale = factor * 0.5f;           if (hits > 3) {
//   } else {                   ->        scale = factor * 0.5f;
//     scale = 1.0f;                    }
//   }
//
// A side that only gives values to variables declared above the branch becomes their initializers.
// A side without statements vanishes; where it is the first one, the condition is negated.
Stmts tidyBranches(Stmts stmts);

}  // namespace tile2cu::emit
