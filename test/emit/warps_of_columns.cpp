// Two accumulators with equal columns whose warps divide them differently: 1 x 4 warps for 16 rows, 2 x 2 for 64. Each has its own number of warps
// along the columns.
// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

template <int N>
__tile_global__ void both(const float16* a, const float16* b, float* few, float* many) {
  grid(1);
  auto k = arange<64>();
  auto n = arange<N>();
  auto y = load(b + k[all, none] * N + n[none, all]);
  auto m = arange<16>();
  store(few + m[all, none] * N + n[none, all], dot(load(a + m[all, none] * 64 + k[none, all]), y));
  auto rows = arange<64>();
  store(many + rows[all, none] * N + n[none, all], dot(load(a + rows[all, none] * 64 + k[none, all]), y));
}
inline constexpr auto both_f16 = instantiate(both<64>, {.num_warps = 4});

// CHECK-DAG: constexpr int WARPS_N = 4;
// CHECK-DAG: constexpr int WARPS_N_2 = 2;
// CHECK: warp / WARPS_N_2
