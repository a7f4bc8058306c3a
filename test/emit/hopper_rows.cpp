// Accumulators of which some rows change: one branch, skipped by a vote, updates them, the carried tiles and per-row values,
// which have initial values for the other rows. The tanh in it is no reason to start the next dot early.
// RUN: %tile2cu %in_parts --arch=sm_90a %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: slope[h] = bends[h] ? 1.0f : 0.5f;
// CHECK: sums[i][e] = bends[e / 2] ? capped[i][e] : sums[i][e];
// CHECK: void consumer(
// CHECK: for (int start = 0; start < length; start += 64) {
// CHECK: largest[e / 2] = fmaxf(largest[e / 2], fabsf(sums[i][e]));
// CHECK: const bool any_bends = tile2cu::warp_any(lane_bends);
// CHECK-NEXT: float slope[2];
// CHECK-NEXT: tile2cu::fill(slope, 0.5f);
// CHECK: if (any_bends) update_sums(sums,
// CHECK-NOT: else
// CHECK: {{ }}compute_weights{{.*}}(sums, row_max,
// CHECK: // The next iteration's first dot starts before
// CHECK: __global__

__tile_global__ void rows(const float16* __restrict__ q, const float16* __restrict__ k,
                          const float16* __restrict__ v, float* __restrict__ out, int length) {
  constexpr int BLOCK_M = 128, BLOCK_N = 64, D = 64;
  auto i = (grid(cdiv(length, BLOCK_M)) * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto dims = arange<D>()[none, all];
  auto queries = load(q + i * D + dims, i < length);
  auto row_max = full<float, BLOCK_M>(-1e30f);
  auto row_sums = zeros<float, BLOCK_M>();
  auto acc = zeros<float, BLOCK_M, D>();
  for (int start = 0; start < length; start += BLOCK_N) {
    auto j = (start + arange<BLOCK_N>())[all, none];
    auto k_tile = load(k + j * D + dims, j < length);
    auto v_tile = load(v + j * D + dims, j < length);
    auto sums = dot(queries, trans(k_tile));
    auto largest = max<1>(abs(sums));
    auto bends = largest > minimum(row_max + 8, 16);
    auto capped = 64 * fast_tanh(sums * 0.015625f);
    auto new_max = where(bends, maximum(row_max, max<1>(capped)), row_max);
    auto rescale = exp2(row_max - new_max);
    row_sums = where(bends, row_sums * rescale, row_sums);
    auto slope = where(bends, 1.0f, 0.5f);
    auto scores = where(bends[all, none], capped, sums);
    auto weights = exp2(slope[all, none] * scores - new_max[all, none]);
    row_sums += sum<1>(weights);
    auto rescaled = where(bends[all, none], acc * rescale[all, none], acc);
    acc = dot(cast<float16>(weights), v_tile, rescaled);
    row_max = new_max;
  }
  store(out + i * D + dims, acc / row_sums[all, none], i < length);
}
inline constexpr auto rows_f16 = instantiate(rows, {.num_warps = 8, .num_stages = 2});
