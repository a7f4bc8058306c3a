// Remarks about wgmma and TMA.
// RUN: %tile2cu -Rtile --arch=sm_90a %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %tile2cu -Rtile --arch=sm_90a,sm_80 %s -o %t.cu 2>&1 | FileCheck --check-prefix=BOTH %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void matmul(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int M, int N, int K) {
  auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, 64));
  auto i = pm * 64 + arange<64>();
  auto j = pn * 64 + arange<64>();
  auto acc = zeros<float, 64, 64>();
  for (int k0 = 0; k0 < K; k0 += 32) {
    auto k = k0 + arange<32>();
    // With other targets as well, remarks say if they concern Hopper alone. No other remark mentions TMA.
    // BOTH-NOT: remark: {{.*}}(TMA)
    // BOTH: :[[@LINE+3]]:14: remark: on Hopper: TMA loads 'x' into shared memory
    // CHECK: :[[@LINE+2]]:14: remark: TMA loads 'x' into shared memory
    // CHECK: :[[@LINE+1]]:14: remark: 'x' has 3 stages in shared memory, which a producer warp fills
    auto x = load(a + i[all, none] * K + k[none, all], (i[all, none] < M) & (k[none, all] < K), 0);
    auto y = load(b + k[all, none] * N + j[none, all], (k[all, none] < K) & (j[none, all] < N), 0);
    // CHECK: :[[@LINE-1]]:14: remark: clusters of two blocks share the loads of 'y' (TMA multicast) where its rows cross cache lines
    // BOTH: :[[@LINE+4]]:11: remark: on other devices: this dot runs on tensor cores: mma_m16n8k16_f16
    // BOTH: :[[@LINE+3]]:11: remark: on Hopper: this dot runs on tensor cores: wgmma_m64n64k16_f16
    // CHECK: :[[@LINE+2]]:11: remark: this dot runs on tensor cores: wgmma_m64n64k16_f16
    // CHECK: :[[@LINE+1]]:11: remark: this dot is in flight until the next one has started
    acc = dot(x, y, acc);
  }
  // CHECK: :[[@LINE+1]]:3: remark: TMA stores this tile from shared memory
  store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
}
inline constexpr auto matmul_4 = instantiate(matmul, {.num_warps = 4});

// A bound that the launcher computes.
__tile_global__ void half_of_steps(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int M, int N, int K) {
  auto pm = grid(cdiv(M, 64));
  auto i = pm * 64 + arange<64>();
  auto j = arange<64>();
  auto acc = zeros<float, 64, 64>();
  for (int k0 = 0; k0 < cdiv(K, 2); k0 += 32) {
    auto k = k0 + arange<32>();
    // CHECK: :[[@LINE+1]]:14: remark: TMA loads 'x' into shared memory
    auto x = load(a + i[all, none] * K + k[none, all], (i[all, none] < M) & (k[none, all] < cdiv(K, 2)), 0);
    auto y = load(b + k[all, none] * N + j[none, all], (k[all, none] < cdiv(K, 2)) & (j[none, all] < N), 0);
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * N + j[none, all], acc, (i[all, none] < M) & (j[none, all] < N));
}
inline constexpr auto half_of_steps_4 = instantiate(half_of_steps, {.num_warps = 4});

// The accumulator of the first dot is an operand of the second.
__tile_global__ void chain(const float16* __restrict__ a, const float16* __restrict__ b, const float16* __restrict__ d, float* __restrict__ c, int n, int K) {
  auto p = grid(n);
  auto i = arange<64>();
  auto k = arange<32>();
  auto x = load(a + (p * 64 + i)[all, none] * 32 + k[none, all]);
  auto acc = zeros<float, 64, 32>();
  // CHECK: :[[@LINE+1]]:3: remark: the first dot of each iteration starts before the last dot of the previous iteration has completed
  for (int k0 = 0; k0 < K; k0 += 64) {
    auto y = load(b + (k0 + i)[all, none] * 32 + k[none, all], (k0 + i)[all, none] < K, 0);
    auto q = cast<float16>(dot(x, trans(y)));
    acc = acc * 0.5f;
    auto z = load(d + (k0 + i)[all, none] * 32 + k[none, all], (k0 + i)[all, none] < K, 0);
    acc = dot(q, z, acc);
  }
  store(c + (p * 64 + i)[all, none] * 32 + k[none, all], acc);
}
inline constexpr auto chain_4 = instantiate(chain, {.num_warps = 4});

// Special functions between the first dot and the code that follows it.
__tile_global__ void capped(const float16* __restrict__ a, const float16* __restrict__ b, const float16* __restrict__ d, float* __restrict__ c, int n, int K) {
  auto p = grid(n);
  auto i = arange<64>();
  auto k = arange<32>();
  auto x = load(a + (p * 64 + i)[all, none] * 32 + k[none, all]);
  auto acc = zeros<float, 64, 32>();
  // CHECK: :[[@LINE+1]]:3: remark: the first dot of each iteration starts as soon as the accumulator of the previous iteration's first dot has been read
  for (int k0 = 0; k0 < K; k0 += 64) {
    auto y = load(b + (k0 + i)[all, none] * 32 + k[none, all], (k0 + i)[all, none] < K, 0);
    auto q = cast<float16>(exp2(fast_tanh(dot(x, trans(y)))));
    auto z = load(d + (k0 + i)[all, none] * 32 + k[none, all], (k0 + i)[all, none] < K, 0);
    acc = dot(q, z, acc);
  }
  store(c + (p * 64 + i)[all, none] * 32 + k[none, all], acc);
}
inline constexpr auto capped_4 = instantiate(capped, {.num_warps = 4});

__tile_global__ void ones_outside(const float16* __restrict__ a, float* __restrict__ c, int K) {
  grid(1);
  auto i = arange<64>();
  auto at = i[all, none] * K + i[none, all];
  // CHECK: :[[@LINE+1]]:12: remark: TMA does not load 'x': elements outside are not 0
  auto x = load(a + at, (i[all, none] < K) & (i[none, all] < K), 1);
  store(c + at, dot(x, x));
}
inline constexpr auto ones_outside_4 = instantiate(ones_outside, {.num_warps = 4});

__tile_global__ void some(const float16* __restrict__ a, float* __restrict__ c, int K) {
  grid(1);
  auto i = arange<64>();
  auto at = i[all, none] * K + i[none, all];
  auto x = load(a + at, (i[all, none] < K) & (i[none, all] < K), 0);
  // CHECK: :[[@LINE+1]]:3: remark: TMA does not store this tile: its mask is not made of bounds alone
  store(c + at, dot(x, x), (i[all, none] < K) & (i[none, all] < K) & (i[none, all] != 5));
}
inline constexpr auto some_4 = instantiate(some, {.num_warps = 4});

// Too few warps: there is only one form.
__tile_global__ void two_warps(const float16* __restrict__ a, float* __restrict__ c) {
  grid(1);
  auto i = arange<64>();
  auto at = i[all, none] * 64 + i[none, all];
  auto x = load(a + at);
  // CHECK: :[[@LINE+2]]:17: remark: this dot runs on tensor cores: mma_m16n8k16_f16; not wgmma: the number of warps is not a multiple of four
  // BOTH: :[[@LINE+1]]:17: remark: this dot runs on tensor cores: mma_m16n8k16_f16; not wgmma: the number of warps is not a multiple of four
  store(c + at, dot(x, x));
}
inline constexpr auto two_warps_2 = instantiate(two_warps, {.num_warps = 2});

// TMA adds no padding, and the ring buffer is for wgmma alone.
template <int ROWS>
__tile__ void squares(const float16* __restrict__ a, float* __restrict__ c, int n, int K) {
  auto i = (grid(cdiv(n, ROWS)) * ROWS + arange<ROWS>())[all, none];
  auto acc = zeros<float, ROWS, ROWS>();
  for (int k0 = 0; k0 < K; k0 += 32) {
    auto k = (k0 + arange<32>())[none, all];
    // CHECK-DAG: :[[@LINE+2]]:14: remark: TMA does not load 'x': a dot of this kernel is padded, and TMA adds no padding
    // CHECK-DAG: :[[@LINE+1]]:14: remark: TMA does not load 'x': a dot of this kernel is not wgmma
    auto x = load(a + i * K + k, (i < n) & (k < K));
    acc = dot(x, trans(x), acc);
  }
  store(c + i * ROWS + arange<ROWS>(), acc, i < n);
}
__tile_global__ void padded(const float16* __restrict__ a, float* __restrict__ c, int n, int K) { squares<56>(a, c, n, K); }
inline constexpr auto padded_4 = instantiate(padded, {.num_warps = 4});
__tile_global__ void three(const float16* __restrict__ a, float* __restrict__ c, int n, int K) { squares<64>(a, c, n, K); }
inline constexpr auto three_3 = instantiate(three, {.num_warps = 3});
