// Rows that wrap around at a bound are not read if no store keeps their results; they are read if one does.
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o %t.cu 2>%t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.cu
#include <tile2cu/tile.h>
using namespace tl;

enum class Keeps { its_rows, all_rows, their_maxima };

// CHECK: remark: product<Keeps::its_rows>: this remainder is not computed: what it would read for rows past the bound is never stored
// CHECK: product<Keeps::its_rows>: TMA loads 'x'
// CHECK: product<Keeps::all_rows>, <Keeps::their_maxima>: TMA does not load 'x'

// TEXT-LABEL: void producer(
// TEXT: tile2cu::tma_load(smem.x[stage], a_map, smem.full[stage], k, pm_start);

template <Keeps KEEPS>
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int M, int N, int K) {
  auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, 64));
  auto i = pm * 64 + arange<64>();
  auto j = pn * 64 + arange<64>();
  auto ks = arange<64>();
  auto p = a + (i % M)[all, none] * K + ks[none, all];
  auto q = b + ks[all, none] * N + j[none, all];
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K; k += 64) {
    auto x = load(p, ks[none, all] < K - k);
    auto y = load(q, (ks[all, none] < K - k) & (j[none, all] < N));
    acc = dot(x, y, acc);
    p += 64;
    q += 64 * N;
  }
  if constexpr (KEEPS == Keeps::its_rows) store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
  if constexpr (KEEPS == Keeps::all_rows) store(c + i[all, none] * N + j[none, all], acc, j[none, all] < N);
  if constexpr (KEEPS == Keeps::their_maxima) store(c + pm * N + j, max<0>(acc), j < N);
}
inline constexpr auto its = instantiate(product<Keeps::its_rows>, {.num_warps = 4});
inline constexpr auto all_of = instantiate(product<Keeps::all_rows>, {.num_warps = 4});
inline constexpr auto maxima = instantiate(product<Keeps::their_maxima>, {.num_warps = 4});

// Inside the loop too, if its rows are the same in each iteration.
// CHECK: remark: within<false>: TMA loads 'x'
// CHECK: remark: within<true>: TMA does not load 'x'
template <bool STEPPING>
__tile_global__ void within(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int M, int N, int K) {
  auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, 64));
  auto i = pm * 64 + arange<64>();
  auto j = pn * 64 + arange<64>();
  auto ks = arange<64>();
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K; k += 64) {
    auto rows = (i + (STEPPING ? k : 0)) % M;
    auto x = load(a + rows[all, none] * K + (k + ks)[none, all], ks[none, all] < K - k);
    auto y = load(b + (k + ks)[all, none] * N + j[none, all], (ks[all, none] < K - k) & (j[none, all] < N));
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
}
inline constexpr auto within_64 = instantiate(within<false>, {.num_warps = 4});
inline constexpr auto stepping_64 = instantiate(within<true>, {.num_warps = 4});
