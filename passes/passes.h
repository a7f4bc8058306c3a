// The passes, one function each; passes.def lists them.
#pragma once
#include "llvm/Support/LogicalResult.h"
#include "passes/ir/module.h"
#include "passes/pass_context.h"

namespace tile2cu::passes {

#define PASS(function, needs, leaves, keeps, description) \
  llvm::LogicalResult function(ir::Module &module, PassContext &context);
#include "passes/passes.def"

}  // namespace tile2cu::passes
