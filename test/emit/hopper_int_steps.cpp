// An int counter stays an int if its bound is wider: it counts up from 0, so it is not negative.
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o %t.cu 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-COUNT-2: TMA loads
// CHECK: TMA does not load 'a_tile': its coordinates may be negative, as 'from' may be

template <int BLOCK>
__tile_global__ void lower_triangle(const float16* __restrict__ a, const float16* __restrict__ b,
                                    float16* __restrict__ c, int M, int N) {
  require(M > 0);
  auto i = grid(cdiv(M, BLOCK));
  auto rows = (i * BLOCK + arange<BLOCK>())[all, none];
  auto cols = arange<BLOCK>()[none, all];
  auto ks = arange<64>();
  auto acc = zeros<float, BLOCK, BLOCK>();
  for (int k = 0; k < (i + 1) * BLOCK; k += 64) {
    auto a_tile = load(a + rows * M + (k + ks)[none, all], (rows < M) & (k + ks < M)[none, all]);
    auto b_tile = load(b + (k + ks)[all, none] * N + cols, (k + ks < M)[all, none] & (cols < N));
    acc += dot(a_tile, b_tile);
  }
  store(c + rows * N + cols, cast<float16>(acc), (rows < M) & (cols < N));
}
inline constexpr auto triangle = instantiate(lower_triangle<128>, {.num_warps = 8});

__tile_global__ void some_rows(const float16* __restrict__ a, const float16* __restrict__ b,
                               float16* __restrict__ c, int M, int N,
                               const int* __restrict__ starts) {
  require(M > 0);
  grid(1);
  int from = *starts;
  auto rows = (from + arange<64>())[all, none];
  auto cols = arange<64>()[none, all];
  auto ks = arange<64>();
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < M; k += 64) {
    auto a_tile = load(a + rows * M + (k + ks)[none, all], (rows < M) & (k + ks < M)[none, all]);
    auto b_tile = load(b + (k + ks)[all, none] * N + cols, (k + ks < M)[all, none] & (cols < N));
    acc += dot(a_tile, b_tile);
  }
  store(c + rows * N + cols, cast<float16>(acc), (rows >= 0) & (rows < M) & (cols < N));
}
inline constexpr auto rows_kernel = instantiate(some_rows, {.num_warps = 4});
