// What the launcher's checks and the grid say of signs: extents of arrays that bulk copies read are positive, programs' numbers and
// loops' variables are not negative.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Whether the loop counts up from 0, or is known to, to a bound that is greater.
bool runsForSure(const ir::Kernel &kernel, ir::Op *loop);

}  // namespace tile2cu::passes
