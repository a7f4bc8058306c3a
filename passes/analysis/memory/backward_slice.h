// The backward slice of a store to an operand's shared tile within its loop, so that the store can
// be moved.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "passes/ir/module.h"

namespace tile2cu::passes {

struct CopySlice {
  std::set<ir::Op *> ops;  // in the loop's body: loads, element-wise operations, addresses, masks
  // Values carried by the loop that these, or the advances of others, need.
  std::set<unsigned> carried;
  std::set<ir::Op *> advances;  // compute the next values of those
  std::vector<ir::Op *> stores;
};

// The reason where a load is not known to be read-only.
extern const char *const kMayBeWritten;

// Adds `store`, which is in the body of `loop`, and everything that it depends on, or returns the
// reason why it has to stay. The reason follows "'x' is not prefetched: ".
std::string addToSlice(const ir::Kernel &kernel, ir::Op *loop, ir::Op *store, CopySlice &slice);

// Whether copies to shared memory can replace the load: 1 to 16 bytes at a time, and zeros where
// its mask is false.
bool isCopy(const ir::Op *load);
// Whether they would be asynchronous: 4 bytes at least.
bool isAsynchronousCopy(const ir::Op *load);

}  // namespace tile2cu::passes
