// Of a split whose first half nobody reads, only the second is loaded from shared memory.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void half(const double* __restrict__ in, double* __restrict__ out) {
  auto pid = grid(2);
  auto [left, right] = split(load(in + (pid * 256 + (arange<32>()[all, none] * 2 + arange<2>()[none, all]))));
  store(out + arange<32>(), where(right < cast<int>(any(right)), right, 1.0));
}
inline constexpr auto half_4 = instantiate(half, {.num_warps = 4});
// CHECK-LABEL: half_kernel(
// CHECK: smem.left{{.*}} = in_tile;
// CHECK-NOT: {{double left}}
// CHECK: double right = smem.left[lane][1];
