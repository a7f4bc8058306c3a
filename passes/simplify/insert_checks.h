// With --checks: makes assertions of what a kernel is trusted with otherwise.
//
//     assume %positive {message = "assume(n > 0)"}
//     ==>  device_assert %positive {always, message = "scale.tile.cpp:7: assume(n > 0)"}
//
//     %at = mul %row, %stride : i32              an address is made from it
//     ==>  %exact = mul (cast %row), (cast %stride) : i64
//          %fits = and (ge %exact, INT_MIN), (le %exact, INT_MAX)
//          device_assert %fits, _, %exact {always, message = "scale.tile.cpp:8: ..."}
//
// Checked are
//  * promises: `assume` and `hint`. An assertion takes the place of each, so that no later pass
//    relies on it: it could compute the assertion in a way that is right only if the promise holds.
//    A `hint` with a bound is not the user's (swizzle2d makes it), and stays.
//  * sums, differences, products, negations and conversions of 64 bits in i32, if an address, the
//    mask of an access, or an index is computed from them
//  * the indices of gather, scatter and constant arrays, where the mask is true, and of extract and
//    insert
// except inside of functions of elements (of reduce, scan and map), which have no assertions.
//
// An assertion of what the launcher computes too, before the grid, is placed after it.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult insert_checks(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
