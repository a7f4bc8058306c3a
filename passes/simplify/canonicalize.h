// Brings operations to their simplest form; the other passes look for that form only.
//
//     %t = splat %one : tile<64xi32>                      store %p, %x
//     %y = mul %x, %t : tile<64xi32>
//     %i = arange {end = 64, start = 0} : tile<64xi32>
//     %n = splat %c64 : tile<64xi32>                ->
//     %m = lt %i, %n : tile<64xbool>
//     if %true {
//       store %p, %y, %m
//     }
//
//   canonicalize_arithmetic  constants as C++ computes them (never undefined behaviour), identities
//                            (for floats only the exact ones)
//   canonicalize_shape       computes uniform values once: op(splat a, splat b) -> splat(op(a, b));
//                            views of views
//   canonicalize_views       reshapes that drop dimensions of size 1 move from loaded and stored
//                            tiles to their addresses
//   canonicalize_dots        acc + dot(a, b) -> dot(a, b, acc), for accumulators of loops
//   canonicalize_memory      masks that are true or false for all elements
//   canonicalize_control     branches on constants, loops that run never or once, carried values
//                            that never change
//
// Runs to a fixed point, then removes dead code. If the replacement of a value has no name, it
// takes the name of the value.
#pragma once
#include "passes/pass_context.h"
