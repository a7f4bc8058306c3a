// Moves what is the same in every iteration of a loop before it, from the innermost loop outwards.
//
//     for %k = %lo to %n step %st {                       %t = splat %n : tile<64xi32>
//       %t = splat %n : tile<64xi32>                ->    %m = lt %rows, %t : tile<64xbool>
//       %m = lt %rows, %t : tile<64xbool>                 for %k = %lo to %n step %st {
//       ...                                                 ...
//     }                                                   }
//
// Pure operations go, scalars and tiles, from the body itself, not out of its branches. Integer division by what may be zero,
// and loads through `const T *__restrict__`, go only if the loop is known to run at least once and they stand before any
// place where an iteration may end early. Names and source lines move along.
#pragma once
#include "passes/pass_context.h"
