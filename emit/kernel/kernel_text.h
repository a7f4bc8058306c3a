// The text of one kernel: what its lowering hands to the transforms, and these to the host's side.
#pragma once
#include <array>
#include <set>
#include <string>
#include <vector>

#include "emit/cuda/builder.h"

namespace tile2cu::emit {

// A named number of the kernel. Values differ between the configurations of one kernel text;
// derivations do not.
struct Constant {
  Symbol name;
  int64_t value = 0;
  Expr derivation;  // BLOCK / (NUM_THREADS * VEC); none: given by the configuration
  std::string comment;
  std::string axis = {};  // what a loop up to this number runs over; empty: another constant
  std::set<unsigned> tiles = {};  // numbers of the layouts that have an axis of this extent
  bool isLoop() const { return !axis.empty(); }
};

struct KernelText {
  std::vector<Struct> functors;  // combine functions, at namespace scope
  Stmts sharedMembers;           // members of struct Smem; empty: no shared memory
  Stmts body;
  Stmts producer;                   // of one more warp, in parallel with the body; empty: none
  Stmts ringStart;                  // the start of the barriers between the two
  std::vector<Constant> constants;  // configuration first, then derived ones, in order of use
  // Conditions on the numbers without which the statements are wrong: N_TILES % 2 == 0.
  std::vector<Expr> conditions;
  std::set<std::string>
      helpers;  // dotted helper names that no identifier in the text shows (load.cs)
};

// The statements of all that is printed of a kernel.
std::array<Stmts *, 4> partsOf(KernelText &text);
std::array<const Stmts *, 4> partsOf(const KernelText &text);
// The symbols in them.
SymbolSet symbolsIn(const KernelText &text);

}  // namespace tile2cu::emit
