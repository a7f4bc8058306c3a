// Completes the ranges whose step is no constant, before anything else reads their loops.
//
//     for (auto i : range(0, n, step)) with an unsigned step         a step of 0 has no iteration
//
//     for %i = %zero to %n step %step {stops}     ==>     %none = eq %step, 0
//                                                         %end = select %none, %zero, %n
//                                                         for %i = %zero to %end step %step {stops}
//
// With a signed step whose sign is not known it is not known either with which comparison the loop
// ends: an error. The front end does not decide that: signs follow from ranges and the launcher's
// checks (integers.h). It notes where a signed step stands, as `step_at` (file, line, column).
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult check_steps(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
