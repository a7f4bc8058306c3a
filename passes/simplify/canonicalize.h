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
//   canonicalize_arithmetic   constants as C++ computes them (never what is undefined), identities (of floats the exact ones)
//   canonicalize_shape        the same number everywhere is computed once: op(splat a, splat b) -> splat(op(a, b)); views of views
//   canonicalize_memory       masks that are true or false for all elements
//   canonicalize_control      branches on constants, loops that run never or once, carried values that never change
//
// Runs to a fixed point, then removes dead code. A replaced value's name goes to its replacement if that has none.
#pragma once
#include "passes/pass_context.h"
