// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
// A carried tile is updated in place within a branch on a vote; the reduction across lanes is in the branch too.
// RUN: %tile2cu -Rtile %s -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void lazy(const float* __restrict__ in, float* __restrict__ out, int n) {
  grid(1);
  auto at = arange<32>()[all, none] * 64 + arange<64>()[none, all];
  auto top = full<float, 32>(-50.0f);
  auto acc = zeros<float, 32, 64>();
  for (int k = 0; k < n; ++k) {
    auto x = load(in + k * 2048 + at);
    auto largest = max<1>(x);
    auto moves = largest > top + 2;
    // REMARK: :[[@LINE+1]]:17: remark: a warp skips this update, 32 operations per thread, where 'moves' holds for none of its elements
    auto next = where(moves, largest, top);
    auto factor = exp2(top - next);
    acc = where(moves[all, none], acc * factor[all, none], acc) + x;
    top = next;
  }
  store(out + at, acc);
}
inline constexpr auto lazy_1 = instantiate(lazy, {.num_warps = 4});

// CHECK: lazy_kernel(
// CHECK: lane_moves[i] = largest[i] > top[i] + 2.0f;
// CHECK-NOT: warp_reduce
// CHECK: // Warp-uniform: skipped unless lane_moves holds in some lane.
// CHECK-NEXT: const bool any_moves = tile2cu::warp_any(lane_moves);
// CHECK-NEXT: if (any_moves) {
// CHECK: largest[i] = tile2cu::warp_reduce<{{.*}}>(largest[i]
// CHECK: top[i] = next;
// CHECK: acc[i][v] = moves[i] ? acc[i][v] * factor[i] : acc[i][v];
// CHECK-NOT: else
// CHECK: acc[i][v] += x[i][v];
