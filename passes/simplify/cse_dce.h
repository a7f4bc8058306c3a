// Computes equal things once, and nothing that is not needed.
//
//     %a = mul %row, %stride : i64                        %a = mul %row, %stride : i64
//     %b = mul %row, %stride : i64                        %p = addptr %in, %a : ptr<const f32>
//     %p = addptr %in, %a : ptr<const f32>          ->    %q = addptr %out, %a : ptr<f32>
//     %q = addptr %out, %b : ptr<f32>                     store %q, %x
//     %unused = exp %x : f32
//     store %q, %x
//
// An operation is replaced by an earlier one that is always executed before it, in the same block or one around it: pure ones,
// and loads through `const T *__restrict__`, which see the same memory everywhere. The earlier one keeps its name and place; a
// name goes over to it if it has none. Constants of different names stay apart. Nests and functions of reductions, scans and
// maps are worlds of their own: what they compute stays in them. Then dead code goes (dead_code.h), values that a loop carries
// for nothing included.
#pragma once
#include "passes/pass_context.h"
