// RUN: %tile2cu %s --arch=sm_80 -o - | FileCheck %s
// RUN: %tile2cu %s --arch=sm_80 -o %t.cu -Rtile 2>&1 | FileCheck %s --check-prefix=REMARK
// Loops that count down, and `while` loops that count, are prefetched as those that count up are.
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK_K>
__tile_global__ void down(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int K) {
  grid(1);
  auto i = arange<32>();
  auto acc = zeros<float, 32, 32>();
  // REMARK: [[@LINE+1]]:3: remark: this loop is pipelined
  for (int k = (cdiv(K, BLOCK_K) - 1) * BLOCK_K; k >= 0; k -= BLOCK_K) {
    auto kk = k + arange<BLOCK_K>();
    auto x = load(a + i[all, none] * K + kk[none, all], kk[none, all] < K, 0);
    auto y = load(b + kk[all, none] * 32 + i[none, all], kk[all, none] < K, 0);
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * 32 + i[none, all], acc);
}
inline constexpr auto down_32 = instantiate(down<32>, {.num_warps = 2, .num_stages = 3});
// CHECK: down_kernel(
// CHECK: for (int stage = 0; stage < STAGES - 1; ++stage) {
// CHECK-NEXT: if (stage * BLOCK_K <= start) copy_x_y(stage, start - stage * BLOCK_K);
// CHECK: for (int k = start; k >= 0; k -= BLOCK_K) {
// CHECK: if ((STAGES - 1) * BLOCK_K <= k) copy_x_y(free_stage, k - (STAGES - 1) * BLOCK_K);

__tile_global__ void counted(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int K, int first) {
  grid(1);
  auto i = arange<32>();
  auto acc = zeros<float, 32, 32>();
  int k = first;
  // REMARK: [[@LINE+1]]:3: remark: this loop is pipelined
  while (k > 7) {
    k -= 32;
    auto x = load(a + i[all, none] * K + (k + i)[none, all]);
    auto y = load(b + (k + i)[all, none] * 32 + i[none, all]);
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * 32 + i[none, all], acc + k);
}
inline constexpr auto counted_1 = instantiate(counted, {.num_warps = 2, .num_stages = 3});
// The bound may be far above the start: 7 + distance cannot overflow, and k - 7 cannot below the start.
// CHECK: counted_kernel(
// CHECK: if (7 + stage * 32 < first) copy_x_y(stage, first - stage * 32);
// CHECK: for (int {{k.*}} = first; {{k.*}} > 7; {{k.*}} -= 32) {
// CHECK: if ((STAGES - 1) * 32 < {{k.*}} - 7) copy_x_y(free_stage, {{k.*}} - (STAGES - 1) * 32);
