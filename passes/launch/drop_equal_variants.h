// Removes the variant of a kernel for arguments that break its assumptions (Kernel::scalarVariant,
// made by make_variants) if the variant is the same code as the kernel. The launcher then has
// nothing to check. This happens to tiles that are so small that no thread holds a vector of them.
//
//   before:  kernel @scale(%x: ptr<f32>) warps 1 otherwise @scale#1 { ... }
//            kernel @scale(%x: ptr<f32>) warps 1 { ... }               the same code
//   after:   kernel @scale(%x: ptr<f32>) warps 1 { ... }
//
// A pass that runs later could make the two differ. So it comes after every pass that changes code,
// except narrow_integers, which only the kernel that stays needs.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult drop_equal_variants(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
