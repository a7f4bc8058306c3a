// A launcher has the parameters of its first candidate, and writes the conditions of all candidates with
// their names. The second candidate calls them otherwise, and the third swaps two names.
//
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK>
__tile_global__ void twice(const float* __restrict__ x, float* __restrict__ y, int n, int m) {
  require(n % 2 == 0);
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  store(y + i, load(x + i, i < n) * 2 + m, i < n);
}
template <int n>
__tile_global__ void renamed(const float* __restrict__ from, float* __restrict__ to, int count, int term) {
  require(count > 5);
  auto i = grid(cdiv(count, n)) * n + arange<n>();
  store(to + i, load(from + i, i < count) * 2 + term, i < count);
}
template <int BLOCK>
__tile_global__ void swapped(const float* __restrict__ y, float* __restrict__ x, int m, int n) {
  require(n % 2 == 0);
  auto i = grid(cdiv(m, BLOCK)) * BLOCK + arange<BLOCK>();
  store(x + i, load(y + i, i < m) * 2 + n, i < m);
}
inline constexpr auto all = select(candidate(twice<512>), candidate(renamed<1024>), candidate(swapped<256>));
// CHECK-LABEL: cudaError_t all(const float* x, float* y, int n, int m,
// CHECK-NOT: % 2 != 0) return
// CHECK: if (n % 2 == 0)
// CHECK-NEXT: launch = aligned
// CHECK-NEXT: else if (n > 5)
// CHECK-NEXT: launch = aligned
// CHECK-NEXT: else if (m % 2 == 0)
// CHECK-NEXT: launch = aligned
// CHECK: return launch(x, y, n, m, stream);

// The key and the memory to preserve have the names of the text, where those of the source are taken.
template <int BLOCK>
__tile_global__ void add(const float* __restrict__ x, float* __restrict__ VECS, int lane, int CLUSTER) {
  auto i = grid(cdiv(CLUSTER, BLOCK)) * BLOCK + arange<BLOCK>();
  store(VECS + i, load(VECS + i, i < CLUSTER) + load(x + i, i < CLUSTER) + lane, i < CLUSTER);
}
inline constexpr auto add_fast =
    tune(key{"CLUSTER", "lane"}, preserve("VECS", "CLUSTER", 4), candidate(add<512>), candidate(add<1024>));
// CHECK-LABEL: cudaError_t add_fast(const float* x, float* VECS_2, int lane_value, int CLUSTER_2,
// CHECK: add_fast_tuner.launch(candidates, {CLUSTER_2, lane_value}, stream, run,
// CHECK-NEXT: {tile2cu::preserve(VECS_2, CLUSTER_2, 4)});
