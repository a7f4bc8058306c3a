// The rings of stages in shared memory that a warp of its own fills.
#pragma once
#include "emit/lower/context.h"

namespace tile2cu::emit {

// tile2cu::ring<STAGES> ring;
Stmts ringVariables(LoweringContext &ctx);
// Their barriers, as members of struct Smem.
Stmts ringMembers(LoweringContext &ctx);
// One thread initializes the barriers before all others.
Stmts ringStart(LoweringContext &ctx);
// The statements of the warp that copies. `ctx` is one of its own.
Stmts producerBody(LoweringContext &ctx);

}  // namespace tile2cu::emit
