// Counts how many newer dots, or groups of copies, each wait may leave in flight. The passes before
// it say only what a wait waits for; the hardware wants a number (ir/verify/dots_in_flight.h and
// copies_in_flight.h say how the two go together).
//
//   %a = dot_shared {async}             %a = dot_shared {async}
//   %b = dot_shared {async}      ==>    %b = dot_shared {async}
//   %c = dot_wait %a                    %c = dot_wait %a {pending = 1}
//
// Around a loop, the dots of the next iteration count too. Where paths differ, the smallest number
// is taken: a wait may wait for more than it names, never for less. It leaves no more in flight
// than an earlier wait has left.
//
// The pass then checks, in every build, that no operation uses what is still in flight.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult count_pending(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
