// The ring buffers in shared memory that a producer warp fills.
#pragma once
#include "emit/lower/context.h"

namespace tile2cu::emit {

// The name of a ring's variable or mbarriers: full, or k_full if the ring has a name.
std::string nameInRing(const ir::SharedRing &ring, const char *name);
// tile2cu::pipeline_state<STAGES> pipeline;
Stmts ringVariables(LoweringContext &ctx);
// Their mbarriers, as members of struct Smem.
Stmts ringMembers(LoweringContext &ctx);
// One thread initializes the mbarriers.
Stmts ringStart(LoweringContext &ctx);
// The statements of the producer warp, which has a context of its own.
Stmts producerBody(LoweringContext &ctx);

}  // namespace tile2cu::emit
