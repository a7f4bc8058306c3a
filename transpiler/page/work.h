// The work of one program of a kernel, counted in the IR before its tiles have layouts.
#pragma once
#include <string>
#include <vector>

#include "passes/ir/module.h"

namespace tile2cu::page {

// A loop; `around` is the number of the loop around it in Work::loops, or -1.
struct WorkLoop {
  ir::Location loc;
  int64_t iterations;  // -1: known only at run time
  int around;
};

// An operation's share, each time it runs.
struct WorkItem {
  std::string op;
  ir::Location loc;
  int loop;           // the innermost loop around it, or -1
  int64_t bytes = 0;  // of global memory, of all elements, whatever its mask says
  int64_t flops = 0;  // of float arithmetic; a multiplication with an addition counts as 2
  bool isDot = false;
};

struct Work {
  const ir::Kernel *kernel;
  std::vector<WorkLoop> loops;  // outer before inner
  std::vector<WorkItem> items;
};

// Each branch counts as taken. `module` is of level Tile.
std::vector<Work> workOf(const ir::Module &module);

}  // namespace tile2cu::page
