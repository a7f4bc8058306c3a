// Finds the conditions that make accesses wide, which the launcher has to check, and makes the
// variant for arguments that fail the check.
//
// The kernel is analysed as if every pointer were 16-byte aligned and every integer divisible by
// 16. Assumptions that no access needs for its width are dropped again. The others are the
// assumptions of the kernel (Kernel::assumptions). A copy without assumptions becomes
// Kernel::scalarVariant, unless specialize_strides has made one for all arguments. A kernel whose
// accesses gain nothing keeps one variant.
//
//   kernel @scale(%x: ptr<f32>, ...) warps 4 { ... }
//     ==>
//   kernel @scale(%x: ptr<f32>, ...) warps 4 assumptions [0: 16] otherwise @scale#1 { ... }
//   kernel @scale(%x: ptr<f32>, ...) warps 4 { ... }
//
// `0: 16` says that parameter 0 is a multiple of 16 (of a pointer: bytes).
//
// If the targets are Hopper (sm_90a) and others, a kernel with dots gets a third variant,
// Kernel::hopperVariant, with the same assumptions. From here on it is compiled for Hopper alone,
// and the other two for the other targets. drop_unused_variants removes it again if it is no
// different.
//
// An integer that only bounds a mask (`offsets < n`) is not checked if a prefix mask suffices
// (whole vectors inside, single elements on the edge). If row strides have to be divisible anyway,
// it is checked, and there is one mask per vector.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult make_variants(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
