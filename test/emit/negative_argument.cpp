// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
// A negative template argument that C++ converts to an unsigned type: the text says so, because nvcc warns where a
// constant changes its sign unsaid.
// CHECK: = float(uint64_t(LEAST) > uint64_t(n) * uint64_t(5));
// A signed type needs no conversion.
// CHECK: = float(LEAST > n);
#include <tile2cu/tile.h>
using namespace tl;

template <int LEAST>
__tile_global__ void compare(float* __restrict__ out, int n) {
  auto pid = grid(n);
  store(out + pid, LEAST > n * 5ull);
  store(out + pid + n, LEAST > n);
}
constexpr auto compare_w1 = instantiate(compare<-3>);
