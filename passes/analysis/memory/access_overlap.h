// Which elements of two accesses can be at one address.
#pragma once
#include <map>
#include <utility>

#include "passes/analysis/integer/integers.h"
#include "passes/analysis/integer/symbolic.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

// Of two elements at one address, each of any step of the loops around its access.
struct Meeting {
  bool isPossible = true;
  bool isSameElement = false;  // their coordinates are the same, dimension by dimension
  bool isSameStep = false;     // so are the steps of all loops around both
};

// The difference of the two addresses is taken apart, the way digits of a number are:
//
//     r n + c = r' n + c'   with c < n, c' < n:   r = r' and c = c'
//
// Masks, headers of loops and ranges bound the rest. Signed arithmetic does not overflow.
//
// One object serves a whole pass, which may move accesses and copy their addresses,
// but not change what they are.
class Meetings {
 public:
  // For loads, stores and atomics.
  Meeting of(const ir::Op *a, const ir::Op *b);

 private:
  Symbols symbols_;
  Integers integers_{Assume::Launched};
  std::map<std::pair<const ir::Op *, const ir::Op *>, Meeting> known_;
};

}  // namespace tile2cu::passes
