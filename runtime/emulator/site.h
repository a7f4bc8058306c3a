// Places in the program: an address in the code, and the address that its function was called from.
#pragma once
#include <string>
#include <vector>

namespace emulate {

struct Site {
  const void* pc = nullptr;      // a return address
  const void* caller = nullptr;  // of the function around it, where known
  bool operator==(const Site&) const = default;
};

// "softmax.cu:41": the innermost frame that is not in a helper.
std::string describe(Site site);

// Whether two calls are in different lines of the source. Optimizing compilers make several calls
// of one. Without line numbers these cannot be told from other calls, and count as the same.
bool inDifferentLines(Site a, Site b);

// Looks all of them up at once, which is faster than one by one.
void prepareToDescribe(const std::vector<Site>& sites);

}  // namespace emulate
