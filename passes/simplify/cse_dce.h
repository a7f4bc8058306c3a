// Common subexpression elimination and dead code elimination.
//
//     %a = mul %row, %stride : i64                        %a = mul %row, %stride : i64
//     %b = mul %row, %stride : i64                        %p = addptr %in, %a : ptr<const f32>
//     %p = addptr %in, %a : ptr<const f32>          ->    %q = addptr %out, %a : ptr<f32>
//     %q = addptr %out, %b : ptr<f32>                     store %q, %x
//     %unused = exp %x : f32
//     store %q, %x
//
// An operation is replaced by an earlier one that always executes before it, in the same block or
// in an enclosing one. This applies to pure operations and to loads through
// `const T *__restrict__`, which see the same memory everywhere. The earlier operation keeps its
// name and place; if it has no name, it takes the name of the other. Constants with different names
// are not merged. Values do not leave loop nests and the functions of reductions, scans and maps.
// Dead code elimination (dead_code.h) follows; it also removes values that a loop carries without a
// use.
#pragma once
#include "passes/pass_context.h"
