// Hints of accesses by a scalar pointer; a loop that polls reads memory every time.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: hints_kernel(
__tile_global__ void hints(int* flag, const float* __restrict__ x, float* out, int n) {
  grid(1);
  // CHECK: for (;;)
  // CHECK: tile2cu::load_element_if<tile2cu::cache::cv>(true, flag, 0)
  while (load(flag, cache::cv) == 0) {
  }
  // CHECK: tile2cu::load_element_if<tile2cu::cache::read_only_cg>(n > 3, x + 3, 2.0f)
  // CHECK: tile2cu::store_element_if<tile2cu::cache::wt>(lane == 0, out + 1, {{.*}});
  store(out + 1, load(x + 3, n > 3, 2, cache::cg), cache::wt);
  // CHECK: out[2] = x[1];
  out[2] = x[1];
}
inline constexpr auto hints_1 = instantiate(hints, {.num_warps = 1});
