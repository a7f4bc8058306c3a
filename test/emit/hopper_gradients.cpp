// Iterations with several dots: those that need only loaded data start together, accumulators are waited for where they are read,
// and accumulators that the loop carries stay in flight until the first wait of the next iteration.
// RUN: %tile2cu %in_parts --arch=sm_90a -Rtile %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

// WHY: hopper_gradients.cpp:[[@LINE+43]]:3: remark: {{.*}}the dots of each iteration start as soon as their operands are ready, and are waited for where their accumulators are read

// CHECK-LABEL: void multiply_acc(
// CHECK: tile2cu::wgmma_commit();
// CHECK-LABEL: void epilogue(
// CHECK: tile2cu::wgmma_wait<0>(acc);
// CHECK-LABEL: void consumer(
// A program's first row is below the length: the loop runs.
// CHECK: __builtin_assume(length > begin);  // checked: there is an iteration
// CHECK: tile2cu::wgmma_commit();
// CHECK: v_tile_pipeline.consumer_wait(
// CHECK-NOT: tile2cu::wgmma_wait
// CHECK: tile2cu::wgmma_commit();
// CHECK-NEXT: tile2cu::wgmma_wait<1>(k_tile_acc);
// CHECK-NEXT: if (lane == 0 && previous_stage >= 0)
// CHECK-NEXT: tile2cu::mbarrier_arrive(smem.k_tile_empty[previous_stage]);
// CHECK: tile2cu::exp2(
// CHECK: tile2cu::wgmma_wait<0>(v_tile_acc);
// CHECK-NEXT: if (lane == 0)
// CHECK-NEXT: tile2cu::mbarrier_arrive(smem.v_tile_empty[v_tile_stage]);
// CHECK: multiply_acc({{.*}}acc,
// CHECK-NEXT: previous_stage = k_tile_stage;
// CHECK: epilogue(

// The loop may run zero times: each iteration waits at its end.
// CHECK-LABEL: void consumer(
// CHECK-NOT: __builtin_assume
// CHECK: tile2cu::wgmma_wait<1>(k_tile_acc);
// CHECK: tile2cu::wgmma_wait<0>(acc);
// CHECK-NEXT: if (lane == 0)
// CHECK-NEXT: tile2cu::mbarrier_arrive(smem.k_tile_empty[k_tile_stage]);

template <int BLOCK_M, int BLOCK_N, bool IS_BLOCK>
__tile_global__ void queries(const float16* __restrict__ q, const float16* __restrict__ k,
                             const float16* __restrict__ v, const float16* __restrict__ d,
                             float16* __restrict__ out, int length, int from) {
  auto program = grid(cdiv(length, BLOCK_M));
  auto rows = (program * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto dims = arange<64>()[none, all];
  auto q_tile = load(q + rows * 64 + dims, rows < length);
  auto d_tile = load(d + rows * 64 + dims, rows < length);
  auto acc = zeros<float, BLOCK_M, 64>();
  auto begin = IS_BLOCK ? program * BLOCK_M / BLOCK_N * BLOCK_N : maximum(from, 0);
  for (auto start = begin; start < length; start += BLOCK_N) {
    auto keys = (start + arange<BLOCK_N>())[all, none];
    auto k_tile = load(k + keys * 64 + dims, keys < length);
    auto v_tile = load(v + keys * 64 + dims, keys < length);
    auto p = exp2(dot(q_tile, trans(k_tile)) - 1);
    auto ds = p * dot(d_tile, trans(v_tile));
    acc = dot(cast<float16>(ds), k_tile, acc);
  }
  store(out + rows * 64 + dims, cast<float16>(acc), rows < length);
}

inline constexpr auto queries_f16 =
    instantiate(queries<64, 64, true>, {.num_warps = 4, .num_stages = 2});
inline constexpr auto queries_from =
    instantiate(queries<64, 64, false>, {.num_warps = 4, .num_stages = 2});
