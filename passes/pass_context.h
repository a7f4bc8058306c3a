// What a pass knows beside the module: where to report, and the options of the command line that
// change code.
#pragma once
#include <vector>

#include "passes/ir/diagnostics.h"
#include "passes/target.h"

namespace tile2cu::passes {

struct PassContext {
  ir::Diagnostics &diagnostics;
  std::vector<Target> targets = {Target{}};  // ascending, never empty
  bool preciseMath = false;                  // --math=precise
};

}  // namespace tile2cu::passes
