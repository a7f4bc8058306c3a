// The lowering of one kernel: the statements of its body, the constants it names and the shared
// memory it needs.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "emit/cuda/ast.h"
#include "passes/analysis/layout/unit_axes.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

// A named number of the kernel. Values differ between the configurations of one kernel text;
// derivations do not.
struct Constant {
  std::string name;
  int64_t value = 0;
  Expr derivation;  // BLOCK / (NUM_THREADS * VEC); none: given by the configuration
  std::string comment;
  std::string axis = {};  // which registers a loop over them runs over; empty: another constant
  bool isLoop() const { return !axis.empty(); }
};

struct KernelText {
  std::vector<Struct> functors;  // combine functions, at namespace scope
  Stmts sharedMembers;           // members of struct Smem; empty: no shared memory
  Stmts body;
  Stmts producer;                    // of one more warp, in parallel with the body; empty: none
  Stmts ringStart;                   // the start of the barriers between the two
  std::vector<Constant> constants;   // configuration first, then derived ones, in order of use
  std::vector<std::string> layouts;  // "x [BLOCK]: col = ...": for the contract comment
  std::set<std::string>
      helpers;  // dotted helper names that no identifier in the text shows (load.cs)
};

struct KernelOptions {
  bool preciseMath = false;
  passes::UnitAxes unitAxes;  // of loops that run once: neither loop nor array is written
  std::string sourceName;     // the input's name without folders
};

KernelText lowerKernel(const ir::Kernel &kernel, const KernelOptions &options);

}  // namespace tile2cu::emit
