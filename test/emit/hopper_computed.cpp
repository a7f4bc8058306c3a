// Operands that are computed from loads: TMA loads them too, and the previous wgmma is in flight meanwhile.
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

// WHY-DAG: product<64, 3> on 4 warps, <64, 3> on 8 warps: 'y' has 3 stages in shared memory, which a producer warp fills
// WHY-DAG: product<256, 4>: TMA does not load 'y': shared memory has no room for its stages and those of what is computed from it

// CHECK-LABEL: struct Product {
// CHECK: struct Smem {
// CHECK: alignas(1024) __half b[STAGES][
// CHECK: int8_t y[STAGES][
// CHECK-LABEL: void producer(
// CHECK: tile2cu::mbarrier_arrive_expect_tx(smem.full[stage],
// CHECK-NEXT: sizeof(smem.y[stage]) + sizeof(smem.x[stage]));
// CHECK-LABEL: void consumer(
// CHECK: pipeline.consumer_wait(smem.full);
// CHECK-NOT: barrier
// CHECK: tile2cu::load_vec<VEC>(&tile2cu::swizzled(smem.y[stage], row,
// CHECK: tile2cu::bytes_to_half(y)
// CHECK: tile2cu::store_vec<8>(&tile2cu::swizzled(smem.b[stage], row,
// CHECK: tile2cu::fence_proxy_async();
// CHECK-NEXT: {{sync.*}}smem.b has been written
// CHECK: &tile2cu::swizzled(smem.b[stage]
// CHECK: tile2cu::wgmma_wait<1>();
// CHECK: mbarrier_arrive(smem.empty[previous_stage]);

template <int D, int VERSION>
__tile_global__ void product(const float16* __restrict__ a, const int8_t* __restrict__ b,
                             float* __restrict__ c, int M, int N, int K) {
  auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, D));
  auto rows = (pm * 64 + arange<64>())[all, none];
  auto cols = (pn * D + arange<D>())[all, none];
  auto acc = zeros<float, 64, D>();
  for (int k = 0; k < K; k += 64) {
    auto ks = (k + arange<64>())[none, all];
    auto x = load(a + rows * K + ks, (rows < M) & (ks < K));
    auto y = load(b + cols * K + ks, (cols < N) & (ks < K));
    acc = dot(x, trans(cast<float16>(y)), acc);
  }
  auto across = (pn * D + arange<D>())[none, all];
  store(c + rows * N + across, acc, (rows < M) & (across < N));
}
inline constexpr auto small = instantiate(product<64, 3>, {.num_warps = 4, .num_stages = 3});
inline constexpr auto small_8 = instantiate(product<64, 3>, {.num_warps = 8, .num_stages = 3});
inline constexpr auto large = instantiate(product<256, 4>, {.num_warps = 4, .num_stages = 4});

// If there is room for no load, nothing is prefetched, and there are no stages.
template <int D>
__tile_global__ void wide(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int N, int K) {
  grid(1);
  auto i = arange<64>();
  auto acc = zeros<float, 64, D>();
  for (int k = 0; k < K; k += 128) {
    auto ks = k + arange<128>();
    auto x = load(a + i[all, none] * K + ks[none, all], (ks < K)[none, all]);
    auto y = load(b + arange<D>()[all, none] * K + ks[none, all], (arange<D>() < N)[all, none] & (ks < K)[none, all]);
    acc = dot(cast<float16>(x), trans(cast<float16>(y)), acc);
  }
  // WHY-NOT: :[[@LINE+1]]:3: remark: TMA stores this tile
  store(c + i[all, none] * N + arange<D>()[none, all], acc, (arange<D>() < N)[none, all]);
}
inline constexpr auto none_fits = instantiate(wide<256>, {.num_warps = 4, .num_stages = 2});
