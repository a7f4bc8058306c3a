// Takes a kernel's form for Hopper (Kernel::hopperVariant, by make_variants) out of the module where it would be written as the
// kernel itself is: no product in it is one of warpgroups. (Bulk copies serve such products only.)
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult drop_unused_variants(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
