// Puts constants in the place of scalar integers that the kernel promises to be equal to them.
//
//   %0 = eq %stride, %one : bool
//   require %0
//   %1 = mul %cols, %stride
//     ==>
//   %0 = eq %stride, %one : bool
//   require %0
//   %1 = mul %cols, %one.1
//
// A `require` holds wherever the kernel runs, and so does an `assume` that every program reaches:
// all other uses change. Any other `assume` holds for the operations after it, in its block. The
// promise itself keeps the value, because the launcher checks it.
//
// A value that is compared in a wider type is replaced too: `int64_t(n) == 1`.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult substitute_constants(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
