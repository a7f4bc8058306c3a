// The forms for aligned and for unaligned pointers are one template: rows are divided among threads by VEC, and copies to shared
// memory have VEC elements. Rows that take all threads (BLOCK_N, with single elements) are written as shorter ones are. So is a tile
// that is stored through shared memory, where rows of x and of c are as long.
// RUN: %tile2cu %s --arch=sm_80 -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %tile2cu %s --arch=sm_80 --emit=emulator -o - | %compile_emulated
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: kernels {{ *}}matmul_kernel, stored_kernel{{$}}
// CHECK: template <int VEC>
// CHECK-NEXT: static __global__
// CHECK-NEXT: matmul_kernel(
// CHECK: constexpr int THREADS_PER_ROW = BLOCK_K / VEC;
// CHECK-NEXT: constexpr int ROWS_PER_STEP = NUM_THREADS / THREADS_PER_ROW;
// CHECK: for (int i = 0; i < ROW_STEPS; ++i) {
// CHECK-NEXT: const int row = i * ROWS_PER_STEP + int(threadIdx.x / THREADS_PER_ROW);
// CHECK-NEXT: const int k{{.*}} = int(threadIdx.x % THREADS_PER_ROW) * VEC;
// CHECK-NEXT: tile2cu::copy_to_shared_if<VEC>(
// CHECK: for (int i = 0; i < BLOCK_K_STEPS; ++i) {
// CHECK-NEXT: const int {{.*}} = i * BLOCK_N_ROWS_PER_STEP + int(threadIdx.x / THREADS_PER_BLOCK_N);
// CHECK-NEXT: const int column = int(threadIdx.x % THREADS_PER_BLOCK_N) * VEC;
// CHECK-NEXT: tile2cu::copy_to_shared_if<VEC>(
// CHECK: __half tile[BLOCK_M][BLOCK_N + 8];
// CHECK: {{^}}stored_kernel(
// CHECK: for (int i = 0; i < BLOCK_M_STEPS; ++i) {
// CHECK-NEXT: const tile2cu::vec<__half, VEC> moved = tile2cu::as_vec<VEC>(
// CHECK-NEXT: &smem.tile[i * BLOCK_N_ROWS_PER_STEP + int(threadIdx.x / THREADS_PER_BLOCK_N)]
// CHECK: const int row = i * BLOCK_N_ROWS_PER_STEP + int(threadIdx.x / THREADS_PER_BLOCK_N);
// CHECK: tile2cu::store_if<VEC>(
// CHECK: aligned ? launch_matmul<8>(
// CHECK-NEXT: : launch_matmul<1>(

template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b,
                            float* __restrict__ c, int M, int N, int K) {
  auto m = (grid(cdiv(M, BLOCK_M)) * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto n = arange<BLOCK_N>()[none, all];
  auto k_range = arange<BLOCK_K>();
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a + m * K + (k + k_range)[none, all], (m < M) & (k_range[none, all] < K - k), 0);
    auto y = load(b + (k + k_range)[all, none] * N + n, (k_range[all, none] < K - k) & (n < N), 0);
    acc = dot(x, y, acc);
  }
  atomic_add(c + m * N + n, acc, (m < M) & (n < N), memory_order::relaxed);
}
inline constexpr auto run = instantiate(matmul<64, 128, 64>, {.num_warps = 4, .num_stages = 3});

template <int BLOCK_M, int BLOCK_N, int BLOCK_K>
__tile_global__ void stored(const float16* __restrict__ a, const float16* __restrict__ b,
                            float16* __restrict__ c, int M, int N, int K) {
  auto m = (grid(cdiv(M, BLOCK_M)) * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto n = arange<BLOCK_N>()[none, all];
  auto k_range = arange<BLOCK_K>();
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a + m * K + (k + k_range)[none, all], (m < M) & (k_range[none, all] < K - k), 0);
    auto y = load(b + (k + k_range)[all, none] * N + n, (k_range[all, none] < K - k) & (n < N), 0);
    acc = dot(x, y, acc);
  }
  store(c + m * N + n, cast<float16>(acc), (m < M) & (n < N));
}
inline constexpr auto run_stored =
    instantiate(stored<64, 128, 128>, {.num_warps = 4, .num_stages = 3});
