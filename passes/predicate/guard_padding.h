// Keeps operations that could go wrong away from padding: the elements that a layout holds past the
// end of a tile (100 elements in 128). The program has no such elements. Their values may be
// anything, such as 0.
//
//     %q = div %x, %y : tile<100xi32>       %safe = select (lt %i, 100), %y, 1
//                                    ==>    %q = div %x, %safe
//
// Division of integers by 0 is undefined in CUDA, too: nvcc may conclude from it that a thread has
// no padding. A function of elements that is still a map has control flow or loads: it gets an
// operand that says whether the element exists, and computes nothing where it does not.
//
//     %r = map %x {                         %r = map %x, (lt %i, 100) {
//     ^(%v: i32)                            ^(%v: i32, %inside: bool)
//       ...                          ==>      %s = if %inside { ... yield %w } else { yield 0 }
//       yield %w                              yield %s
//
// Divisors that are not 0 for whatever their padding holds stay as they are: uniform ones, `x | 1`.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult guard_padding(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
