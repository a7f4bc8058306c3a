// Makes variants of a kernel for strides that are 1 at run time.
//
// A stride is an integer parameter that scales coordinates in addresses and has no other use. An
// access whose elements are `stride` apart is element by element, unless the stride is known to be
// 1: then it can move whole vectors, as cp.async and TMA do. So the kernel is made for the strides
// that are usually 1, and a copy of it takes all other arguments:
//
//   kernel @copy(%in: ptr<f32>, %s0: i32, %s1: i32, ...) warps 4 { ... mul %cols, %s1 ... }
//     ==>
//   kernel @copy(%in: ptr<f32>, %s0: i32, %s1: i32, ...) warps 4 assumptions [2 = 1]
//       otherwise @copy#1 { ... mul %cols, %one ... }
//   kernel @copy(%in: ptr<f32>, %s0: i32, %s1: i32, ...) warps 4 { ... mul %cols, %s1 ... }
//
// There are at most two such variants:
//
// 1. For each access, the stride whose value of 1 makes it widest. If several are as good, it is
//    the last parameter of them: the strides of an array stand in the order of its dimensions, and
//    the last dimension is the contiguous one.
// 2. If that leaves both operands of a dot in the same orientation in memory, and the other stride
//    of the second operand would do as well: that one. So a matmul reads its second operand as it
//    is stored, or transposed.
//
// Parameters in the launcher's checks stay. An access that has less than a vector of elements for
// each thread asks for nothing. make_variants adds what the launcher checks of pointers and of
// other sizes.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult specialize_strides(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
