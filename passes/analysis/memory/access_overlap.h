// Access overlap: which elements of two accesses can have the same address.
#pragma once
#include <map>
#include <utility>

#include "passes/analysis/integer/integers.h"
#include "passes/analysis/integer/symbolic.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Two elements at one address, each in any iteration of the loops around its access.
struct Overlap {
  bool isPossible = true;
  bool isSameElement = false;  // their coordinates are the same, dimension by dimension
  bool isSameStep = false;     // so are the iterations of all loops around both
};

// The difference of the two addresses is split like the digits of a number:
//
//     r n + c = r' n + c'   with c < n, c' < n:   r = r' and c = c'
//
// Masks, loop headers and ranges bound the rest. Signed arithmetic does not overflow.
//
// One object serves a whole pass. The pass may move accesses and copy their addresses, but must not
// change what they access.
class AccessOverlaps {
 public:
  // For loads, stores and atomics.
  Overlap of(const ir::Op *a, const ir::Op *b);

 private:
  Symbols symbols_;
  Integers integers_{Assume::Launched};
  std::map<std::pair<const ir::Op *, const ir::Op *>, Overlap> known_;
};

}  // namespace tile2cu::passes
