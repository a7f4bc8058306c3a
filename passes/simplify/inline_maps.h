// Turns element-by-element functions into operations on tiles, so that later passes see plain
// arithmetic.
//
//     %y = map %x : tile<1024xf32> {
//     ^(%v: f32)                                          %t = splat %slope : tile<1024xf32>
//       %t = mul %v, %slope : f32                   ->    %t.1 = mul %x, %t : tile<1024xf32>
//       %m = maximum %v, %t : f32                         %y = maximum %x, %t.1 : tile<1024xf32>
//       yield %m
//     }
//
// Scalars from outside become splats. A function with control flow, or with an operation that is
// not element-wise, stays a map. The results keep the names of the map, and the values in between
// keep the names of the function.
#pragma once
#include "passes/pass_context.h"
