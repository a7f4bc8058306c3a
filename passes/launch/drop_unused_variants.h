// Removes the Hopper variant of a kernel (Kernel::hopperVariant, made by make_variants) if it would
// be the same as the kernel itself, which is so if it has no wgmma. (TMA is used for operands of
// wgmmas only.)
//
//   kernel @pair(...) warps 2 on_hopper @pair#1   ==>   kernel @pair(...) warps 2
//   kernel @pair(...) warps 2
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult drop_unused_variants(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
