// Two consecutive loops whose ring buffers do not fit together are pipelined as on other GPUs, and share the memory.
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: TMA does not load 'x': the stages of all loops need {{[0-9]+}} bytes, more than shared memory has
// CHECK: wgmma_m64n128k16_f16
__tile_global__ void two_loops(const float16* __restrict__ a, const float16* __restrict__ b,
                               float* __restrict__ c, int K) {
  grid(1);
  auto rows = arange<128>()[all, none];
  auto cols = arange<128>()[none, all];
  auto ks = arange<128>();
  auto acc = zeros<float, 128, 128>();
  for (int k = 0; k < K; k += 128) {
    auto x = load(a + rows * int64_t(K) + (k + ks)[none, all], (k + ks)[none, all] < K);
    auto y = load(b + (k + ks)[all, none] * int64_t(128) + cols, (k + ks)[all, none] < K);
    acc = dot(x, y, acc);
  }
  for (int k = 0; k < K; k += 128) {
    auto x = load(b + rows * int64_t(K) + (k + ks)[none, all], (k + ks)[none, all] < K);
    auto y = load(a + (k + ks)[all, none] * int64_t(128) + cols, (k + ks)[all, none] < K);
    acc = dot(x, y, acc);
  }
  store(c + rows * 128 + cols, acc);
}
inline constexpr auto two_loops_2 = instantiate(two_loops, {.num_warps = 8, .num_stages = 2});
