// RUN: not %tile2cu --arch=sm_90a %s -o %t.cu 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not ls %t.cu
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK_M, int BLOCK_N>
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b,
                             float16* __restrict__ c, int M, int N, int K) {
  auto pid = grid(cdiv(M, BLOCK_M));
  auto rows = (pid * BLOCK_M + arange<BLOCK_M>())[all, none];
  auto cols = arange<BLOCK_N>()[none, all];
  auto ks = arange<32>();
  auto acc = zeros<float, BLOCK_M, BLOCK_N>();
  for (int k = 0; k < K; k += 32) {
    auto x = load(a + rows * K + k + ks[none, all], (rows < M) & (k + ks[none, all] < K));
    auto y = load(b + (k + ks[all, none]) * N + cols, (k + ks[all, none] < K) & (cols < N));
    // CHECK-DAG: :[[@LINE+3]]:11: error: product<64, 256> (min_blocks = 2): a wgmma with 256 columns needs 154 registers per thread, but a thread has 128, because 2 blocks of 256 threads share a multiprocessor; use fewer blocks (min_blocks), or a tile with fewer columns
    // CHECK-DAG: :[[@LINE+2]]:11: error: product<192, 256>: a wgmma with 256 columns needs 154 registers per thread, but a thread has 128, because a block has 512 threads; use a tile with fewer columns
    // CHECK-DAG: :[[@LINE+1]]:11: error: product<64, 256> (no min_blocks): {{.*}} a thread has 128, because 4 blocks of 128 threads share a multiprocessor; use fewer threads (resident_threads), or a tile with fewer columns
    acc = dot(x, y, acc);
  }
  store(c + rows * N + cols, cast<float16>(acc), (rows < M) & (cols < N));
}
inline constexpr auto shared = instantiate(product<64, 256>, {.num_warps = 4, .min_blocks = 2});
inline constexpr auto wide = instantiate(product<192, 256>, {.num_warps = 12});
inline constexpr auto narrow = instantiate(product<64, 128>, {.num_warps = 4, .min_blocks = 2});
inline constexpr auto resident = instantiate(product<64, 256>, {.num_warps = 4, .resident_threads = 512});

// Without a producer warp, half of the warps have twice as many registers each.
__tile_global__ void strided(const float16* __restrict__ a, float* __restrict__ c, int K) {
  grid(1);
  auto rows = arange<128>();
  auto ks = arange<32>();
  auto acc = zeros<float, 128, 128>();
  for (int k = 0; k < K; k += 32) {
    auto x = load(a + rows[all, none] * K + 3 * (k + ks[none, all]));
    // CHECK-DAG: :[[@LINE+1]]:11: error: strided{{.*}}; use fewer blocks (min_blocks), fewer warps, or a tile with fewer columns
    acc = dot(x, trans(x), acc);
  }
  store(c + rows[all, none] * 128 + rows[none, all], acc);
}
inline constexpr auto halves = instantiate(strided, {.num_warps = 8, .min_blocks = 3});
inline constexpr auto fits = instantiate(strided, {.num_warps = 4, .min_blocks = 3});
