// Completes ranges whose step is not a constant, before any other pass reads their loops.
//
//     for (auto i : range(0, n, step)) with an unsigned step         a step of 0 has no iteration
//
//     for %i = %zero to %n step %step {stops}     ==>     %none = eq %step, 0
//                                                         %end = select %none, %zero, %n
//                                                         for %i = %zero to %end step %step {stops}
//
// If the sign of a signed step is not known, the comparison that ends the loop is not known either,
// which is an error. The front end cannot decide that, because signs follow from ranges and the
// launcher's checks (integers.h). It records the location of a signed step as `step_at` (file,
// line, column).
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult check_steps(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
