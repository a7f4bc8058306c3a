// The context of a pass besides the module: where to report, the command-line options that change
// code, and the analyses that it shares with other passes.
#pragma once
#include <vector>

#include "llvm/Support/LogicalResult.h"
#include "passes/analysis/analyses.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/module.h"
#include "passes/target/target.h"

namespace tile2cu::passes {

struct PassContext {
  ir::Diagnostics &diagnostics;
  std::vector<Target> targets = {Target{}};  // ascending, never empty
  bool preciseMath = false;                  // --math=precise
  bool checks = false;                       // --checks
  Analyses analyses = {};

  // Whether a kernel may have two forms: one for Hopper and one for other targets.
  bool mixesHopper() const;
  // The targets of a kernel: in a file for Hopper and other GPUs, either Hopper or the others.
  std::vector<Target> targetsOf(const ir::Kernel &kernel) const;
};

}  // namespace tile2cu::passes
