// Hoists loop-invariant operations, from the innermost loop outwards.
//
//     for %k = %lo to %n step %st {                       %t = splat %n : tile<64xi32>
//       %t = splat %n : tile<64xi32>                ->    %m = lt %rows, %t : tile<64xbool>
//       %m = lt %rows, %t : tile<64xbool>                 for %k = %lo to %n step %st {
//       ...                                                 ...
//     }                                                   }
//
// It moves pure operations, on scalars and on tiles, from the body itself but not out of its
// branches. Integer division by a value that may be zero, and loads through
// `const T *__restrict__`, move only if the loop is known to run at least once and they come before
// any point where an iteration may end early. Names and source lines move along.
#pragma once
#include "passes/pass_context.h"
