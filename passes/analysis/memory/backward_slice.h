// What a store to an operand's shared tile rests on in its loop, so that it can be done in another place.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "passes/ir/module.h"

namespace tile2cu::passes {

struct CopySlice {
  std::set<ir::Op *> ops;  // of the loop's body: loads, element-wise operations, addresses, masks
  std::set<unsigned>
      carried;  // the values carried by the loop that these, or the advance of others, need
  std::set<ir::Op *> advances;  // computes the next of those from them
  std::vector<ir::Op *> stores;
};

// Adds `store`, which stands in the body of `loop`, and all it rests on; or gives the reason why it has to stay, in words that
// follow "'x' is not copied ahead of its step: ".
std::string addToSlice(const ir::Kernel &kernel, ir::Op *loop, ir::Op *store, CopySlice &slice);

// Whether asynchronous copies could bring what the load does: 4, 8 or 16 bytes at a time, and zeros elsewhere.
bool isCopy(const ir::Op *load);

}  // namespace tile2cu::passes
