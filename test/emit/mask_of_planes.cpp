// RUN: %tile2cu %s -o - | FileCheck %s
// A mask that was computed for a plane, and is the same in all planes of the tile, is a prefix of its rows.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: {{^}}planes_warp_kernel(
// CHECK: load_prefix<
// CHECK: store_prefix<

__tile_global__ void planes(const float* __restrict__ in, float* __restrict__ out, int n) {
  grid(1);
  auto p = arange<2>()[all, none, none] * 128 + arange<2>()[none, all, none] * 64 + arange<64>()[none, none, all];
  auto mask = broadcast_to<2, 64>(arange<64>()[none, all] < n)[none, all, all];
  store(out + p, load(in + p, mask) + 1.0f, mask);
}
inline constexpr auto planes_f32 = instantiate(planes, {.num_warps = 1});
