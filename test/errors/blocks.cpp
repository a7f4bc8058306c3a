// RUN: not %tile2cu --arch=sm_80,sm_90a %s -o - 2>&1 | FileCheck %s
// More blocks per multiprocessor than it has threads for: reported once, not for each variant of the kernel.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: :[[@LINE+2]]:22: error: filled (8 warps, min_blocks = 9): 9 blocks (min_blocks) of 256 threads do not fit on a multiprocessor, which holds 2048; use at most 8, or 0 to let the compiler choose
// CHECK: :[[@LINE+1]]:22: error: filled on 1 warp: 3 blocks (min_blocks) of 1024 threads do not fit on a multiprocessor, which holds 2048; use at most 2
__tile_global__ void filled(float* out) {
  auto row = grid(9);
  store(out + row * 64 + arange<64>(), full<float, 64>(1.0f));
}
inline constexpr auto fill_9 = instantiate(filled, {.num_warps = 8, .min_blocks = 9});
inline constexpr auto fill_8 = instantiate(filled, {.num_warps = 8, .min_blocks = 8});
inline constexpr auto packed = instantiate(filled, {.num_warps = 1, .programs_per_block = 32, .min_blocks = 3});

// The producer warpgroup counts.
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b, float* c, int k) {
  grid(1);
  auto row = arange<64>()[all, none];
  auto column = arange<64>()[none, all];
  auto acc = zeros<float, 64, 64>();
  for (int s = 0; s < k; s += 64)
    acc = dot(load(a + row * k + s + column, column < k - s), load(b + (s + row) * 64 + column, row < k - s), acc);
  store(c + row * 64 + column, acc);
}
// CHECK: error: 9 blocks (min_blocks) of 256 threads do not fit on a multiprocessor
inline constexpr auto product_9 = instantiate(product, {.num_warps = 4, .min_blocks = 9});
// CHECK: 3 errors generated.
