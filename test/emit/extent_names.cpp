// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
// Two counts of vectors in one kernel: the second one is named after its number, too.
// CHECK: {{^}}  constexpr int VECS = A / (NUM_THREADS * VEC);
// CHECK: {{^}}  constexpr int B_VECS = B / (NUM_THREADS * VEC);
#include <tile2cu/tile.h>
using namespace tl;

template <int A, int B>
__tile_global__ void doubled(const float* __restrict__ x, const float* __restrict__ y, float* out, float* more, int n) {
  auto row = grid(n);
  auto i = arange<A>();
  auto j = arange<B>();
  store(out + row * A + i, load(x + row * A + i) * 2);
  store(more + row * B + j, load(y + row * B + j) * 2);
}
inline constexpr auto doubled_1024 = instantiate(doubled<1024, 2048>);
inline constexpr auto doubled_4096 = instantiate(doubled<4096, 8192>);
