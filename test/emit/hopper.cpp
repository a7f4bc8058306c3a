// The text of a matmul for Hopper: tensor maps made by the launcher, a producer thread, consumer warpgroups, a TMA store.
// RUN: %tile2cu --arch=sm_90a %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int M, int N, int K) {
  auto [pm, pn] = grid(cdiv(M, 128), cdiv(N, 64));
  auto i = pm * 128 + arange<128>();
  auto j = pn * 64 + arange<64>();
  auto acc = zeros<float, 128, 64>();
  for (int k0 = 0; k0 < K; k0 += 32) {
    auto k = k0 + arange<32>();
    auto x = load(a + i[all, none] * K + k[none, all], (i[all, none] < M) & (k[none, all] < K), 0);
    auto y = load(b + k[all, none] * N + j[none, all], (k[all, none] < K) & (j[none, all] < N), 0);
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
}
inline constexpr auto matmul_8 = instantiate(matmul, {.num_warps = 8});

// Shared memory holds the stages, in panels as wide as the swizzle of wgmma, and their mbarriers.
// The kernel is a struct of its constants, shared memory, parameters and roles.
// CHECK: struct Matmul {
// CHECK-NEXT: static constexpr int NUM_WARPS = 8;
// CHECK: struct Smem {
// CHECK: alignas(512) __half x[STAGES][128][32];
// CHECK-NEXT: alignas(1024) __half y[STAGES][32][64];
// CHECK: tile2cu::mbarrier full[STAGES];
// CHECK-NEXT: tile2cu::mbarrier empty[STAGES];

// The producer acquires a stage, expects the bytes, and starts the loads.
// CHECK-LABEL: void producer(
// CHECK: const int stage = pipeline.producer_acquire(smem.empty);
// CHECK: tile2cu::mbarrier_arrive_expect_tx(smem.full[stage],
// CHECK-NEXT: sizeof(smem.x[stage]) + sizeof(smem.y[stage]));
// CHECK: tile2cu::tma_load(smem.x[stage], a_map, smem.full[stage], k0,
// Two blocks with the same rows of b load half of them each, by multicast.
// CHECK: const int part = tile2cu::cluster_rank<CLUSTER>() * (32 / CLUSTER);
// CHECK-NEXT: tile2cu::tma_load_multicast<CLUSTER>(&smem.y[stage][part], b_map, smem.full[stage], pn_start,
// CHECK-NEXT: k0 + part);
// CHECK: if (CLUSTER > 1)
// CHECK-NEXT: tile2cu::producer_tail(pipeline, smem.empty);  // stay resident until the peer has arrived

// The consumers wait for the bytes, multiply, and release the previous stage. Their barriers leave out the producer.
// CHECK-LABEL: void consumer(
// CHECK: const int stage = pipeline.consumer_wait(smem.full);
// CHECK: tile2cu::wgmma_fence();
// CHECK: tile2cu::wgmma_m64n64k16_f16<tile2cu::major::k, tile2cu::major::mn, 64, 128>(
// CHECK: &smem.x[stage][warp / 4 * 64][kk * 16]
// CHECK: tile2cu::wgmma_commit();
// CHECK-NEXT: tile2cu::wgmma_wait<1>();
// CHECK-NEXT: if (lane < CLUSTER && previous_stage >= 0)
// CHECK-NEXT: tile2cu::mbarrier_arrive_cluster<CLUSTER>(smem.empty[previous_stage],
// CHECK-NEXT: lane);
// CHECK: tile2cu::wgmma_wait<0>(acc);
// CHECK-NOT: __syncthreads
// CHECK: tile2cu::fence_proxy_async();
// CHECK-NEXT: __syncwarp();
// CHECK-NEXT: if (lane == 0) {
// CHECK-NEXT: const int row = warp * 16;
// CHECK: tile2cu::tma_store(c_map, &smem.c_tile[panel * (128 * 32) + row * 32],

// One more warpgroup than the consumers, whose first thread loads.
// CHECK-LABEL: void run()
// CHECK: tile2cu::mbarrier_init(smem.empty[stage],
// CHECK-NEXT: NUM_WARPS * CLUSTER);
// CHECK: tile2cu::cluster_sync<CLUSTER>();
// CHECK: if (threadIdx.x < 256) {
// CHECK-NEXT: tile2cu::warpgroup_reg_alloc<240>();
// CHECK-NEXT: consumer();
// CHECK: } else {
// CHECK-NEXT: tile2cu::warpgroup_reg_dealloc<24>();
// CHECK-NEXT: if (threadIdx.x == 256) producer();
// CHECK: template <int CLUSTER>{{$}}
// CHECK-NEXT: static __global__ void __launch_bounds__(256 + 128, 1)
// CHECK-NEXT: matmul_kernel(int M, {{.*}}const __grid_constant__ CUtensorMap a_map,
// CHECK: auto& smem = *reinterpret_cast<typename Matmul<CLUSTER>::Smem*>(dynamic_smem);
// CHECK-NEXT: Matmul<CLUSTER>{smem, M, {{.*}}a_map, b_map, c_map}.run();

// Where arguments are not aligned, or a size is not positive, another kernel runs; it uses wgmma too.
// CHECK-LABEL: matmul_unaligned_kernel(
// CHECK-NOT: tma_
// CHECK: tile2cu::wgmma_m64n64k16_f16<
// CHECK-LABEL: cudaError_t launch_matmul(
// CHECK: const int cluster =
// CHECK-NEXT: tile2cu::cdiv(M, 128) % 2 == 0 && tile2cu::crosses_lines(b, {int64_t(N) * 2}) ? 2 : 1;
// CHECK: tile2cu::make_tensor_map(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, a, {K, M}
// CHECK-NEXT: {int64_t(K) * 2}, {32, 128}, 64);
// CHECK: {int64_t(N) * 2}, {64, 32 / cluster}, 128);
// CHECK: tile2cu::launch_cluster(cluster, cluster == 2 ? matmul_kernel<2> : matmul_kernel<1>,
// CHECK-LABEL: cudaError_t matmul_8(
// CHECK: tile2cu::aligned<16>(a, b, c) && N % 8 == 0 && K % 8 == 0 && K > 0 && M > 0 && N > 0;
