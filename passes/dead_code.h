// Removes what nobody needs; a part of cse_dce and canonicalize, and a helper of other passes.
#pragma once
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Removes pure operations and loads without a live use, values that loops carry for themselves only, results of branches that
// nobody reads, and branches and loops without effect. What writes, asserts, assumes or returns stays.
void removeDeadCode(ir::Block &body);

}  // namespace tile2cu::passes
