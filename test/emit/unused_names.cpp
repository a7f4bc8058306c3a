// A name that only one role of a kernel reads is declared in that role alone, with its comment.
// RUN: %tile2cu --arch=sm_90a %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: void widened_producer(
// CHECK: const int64_t pm =
// CHECK-NOT: {{pn|column_start}} =
// CHECK: tile2cu::tma_load(smem.x[stage], a_map,
// CHECK-LABEL: void widened_consumer(
// CHECK: const int64_t pm =
// CHECK: const int64_t pn =

template <int D>
__tile_global__ void widened(const float16* __restrict__ a, const float16* __restrict__ b,
                             float* __restrict__ c, int M, int N, int K) {
  auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, D));
  auto rows = (pm * 64 + arange<64>())[all, none];
  // Where the program's columns begin.
  auto column_start = pn * D;
  auto cols = (column_start + arange<D>())[none, all];
  auto ks = arange<64>();
  auto acc = zeros<float, 64, D>();
  for (int k = 0; k < K; k += 64) {
    auto x = load(a + rows * int64_t(K) + (k + ks)[none, all], (rows < M) & ((k + ks)[none, all] < K));
    auto y = load(b + (k + ks)[all, none] * D + arange<D>()[none, all], (k + ks)[all, none] < K);
    acc = dot(x, y, acc);
  }
  store(c + rows * int64_t(N) + cols, acc, (rows < M) & (cols < N));
}
inline constexpr auto widened_64 = instantiate(widened<64>);
