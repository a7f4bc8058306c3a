// Places in the program: an address in the code, and the address that the function was called from.
#pragma once
#include <string>
#include <vector>

namespace emulate {

struct Site {
  const void* pc = nullptr;      // a return address
  const void* caller = nullptr;  // of the function around it, where known
  bool operator==(const Site&) const = default;
};

// "softmax.cu:41": the innermost frame that is no helper's.
std::string describe(Site site);

// Whether two calls stand in different lines of the source. Optimizing compilers make several calls of one; without line numbers
// they cannot be told from others, and are taken for the same.
bool inDifferentLines(Site a, Site b);

// Looks all of them up at once, which is faster than one by one.
void prepareToDescribe(const std::vector<Site>& sites);

}  // namespace emulate
