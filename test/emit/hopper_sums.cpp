// RUN: tile2cu --arch=sm_90a %s -o - | FileCheck %s
// RUN: tile2cu --arch=sm_90a %s -o - | FileCheck %s --check-prefix=HELPERS
// wgmma accumulators that threads read and write: fences and waits name the registers of the accumulators, so that ptxas
// neither adds its own (C7517, C7519) nor serializes the wgmmas (C7514). test/nvcc compiles this file and fails where
// it does.
#include <tile2cu/tile.h>
using namespace tl;

enum class Use { scaled, clamped, compared, added, squared, again };

// float16 accumulators, whose halves ptxas would read before the wait.
template <Use use>
__tile_global__ void halves(const float16* __restrict__ a, const float16* __restrict__ b, const float16* __restrict__ d,
                            float16* __restrict__ c, float16 factor) {
  grid(1);
  auto i = arange<64>()[all, none];
  auto j = arange<64>()[none, all];
  auto right = load(b + i * 64 + j);
  auto scaled = load(d + i * 64 + j) * factor;
  auto sums = dot(load(a + i * 64 + j), right, zeros<float16, 64, 64>());
  if constexpr (use == Use::scaled) sums *= float16(2);
  if constexpr (use == Use::clamped) sums = max(sums, zeros<float16, 64, 64>());
  if constexpr (use == Use::compared) sums = where(sums > factor, sums, scaled);
  if constexpr (use == Use::added) sums += scaled;
  if constexpr (use == Use::squared) sums = sums * sums;
  if constexpr (use == Use::again) sums = dot(sums * factor, right, zeros<float16, 64, 64>()) * factor;
  store(c + i * 64 + j, sums);
}
inline constexpr auto halves_scaled = instantiate(halves<Use::scaled>, {.num_warps = 4});
inline constexpr auto halves_clamped = instantiate(halves<Use::clamped>, {.num_warps = 4});
inline constexpr auto halves_compared = instantiate(halves<Use::compared>, {.num_warps = 4});
inline constexpr auto halves_added = instantiate(halves<Use::added>, {.num_warps = 4});
inline constexpr auto halves_squared = instantiate(halves<Use::squared>, {.num_warps = 4});
inline constexpr auto halves_again = instantiate(halves<Use::again>, {.num_warps = 4});
// HELPERS: asm volatile("prmt.b32 %0, %0, 0, 0x3210;" : "+r"(register_of(x))::"memory");

// After a loop, a dot whose first operand is in registers.
__tile_global__ void chained(const float16* __restrict__ a, const float16* __restrict__ b, float16* __restrict__ c, int K) {
  grid(1);
  auto i = arange<64>()[all, none];
  auto j = arange<64>()[none, all];
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K; k += 64) acc = dot(load(a + i * K + k + j, j < K - k), load(b + (k + i) * 64 + j, i < K - k), acc);
  auto s = cast<float16>(acc);
  store(c + i * 64 + j, dot(s, s, zeros<float16, 64, 64>()) * float16(2));
}
inline constexpr auto chained_64 = instantiate(chained, {.num_warps = 4});
// Accumulators that start as zeros are used by the dots only.
// CHECK-LABEL: struct Chained {
// CHECK: void consumer(
// CHECK: float acc[N_TILES][4] = {};
// CHECK: tile2cu::wgmma_fence();
// CHECK: tile2cu::wgmma_wait<0>(acc);
// CHECK: tile2cu::wgmma_fence(a_frag);
// CHECK: tile2cu::wgmma_wait<0>(s_acc);

// Accumulators with another initial value, in one loop and in two.
template <bool TWICE>
__tile_global__ void biased(const float16* __restrict__ a, const float16* __restrict__ b, const float* __restrict__ bias,
                            float* __restrict__ c, int K, int parts) {
  auto row = grid(4);
  auto i = arange<64>()[all, none];
  auto j = arange<64>()[none, all];
  auto acc = broadcast_to<64, 64>(load(bias + j));
  for (int part = 0; part < (TWICE ? parts : 1); ++part)
    for (int k = 0; k < K; k += 32) {
      auto inner = arange<32>() + k;
      acc = dot(load(a + (row * 64 + i) * K + inner[none, all], inner[none, all] < K),
                load(b + inner[all, none] * 64 + j + part, inner[all, none] < K), acc);
    }
  store(c + (row * 64 + i) * 64 + j, acc);
}
inline constexpr auto biased_once = instantiate(biased<false>, {.num_warps = 4});
inline constexpr auto biased_twice = instantiate(biased<true>, {.num_warps = 4});
// CHECK: acc[i][e] = bias_tile[i][e % 2];
// CHECK: tile2cu::wgmma_fence(acc);

// Accumulators that each iteration scales.
__tile_global__ void decayed(const float16* __restrict__ a, const float16* __restrict__ b, float* __restrict__ c, int K, float decay) {
  grid(1);
  auto i = arange<64>()[all, none];
  auto j = arange<64>()[none, all];
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K; k += 64)
    acc = dot(load(a + i * K + k + j, j < K - k), load(b + (k + i) * 64 + j, i < K - k), acc * decay);
  store(c + i * 64 + j, acc);
}
inline constexpr auto decayed_64 = instantiate(decayed, {.num_warps = 4});
// CHECK-LABEL: struct Decayed {
// CHECK: void consumer(
// CHECK: * decay
// CHECK: tile2cu::wgmma_fence(acc);

// Accumulators that a store takes as bits. nvcc unrolls the loop and keeps them as bits ahead of the last iteration.
__tile_global__ void band(const bfloat16* __restrict__ a, const bfloat16* __restrict__ b, float* c, int* done, int M, int N, int K) {
  auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, 32));
  auto A = make_tensor_descriptor<64, 64>(a, {M, K}, {K, 1});
  auto B = make_tensor_descriptor<64, 32>(b, {K, N}, {N, 1});
  auto acc = zeros<float, 64, 32>();
  for (int64_t k = pm * 64; k < K; k += 64) acc = dot(A.load({pm * 64, k}), B.load({k, pn * 32}), acc);
  auto m = (pm * 64 + arange<64>())[all, none];
  auto n = (pn * 32 + arange<32>())[none, all];
  store(c + m * N + n, acc, (m < M) & (n < N));
  if (atomic_add(done, 1) == 5) *done = 0;
}
inline constexpr auto band_bf16 = instantiate(band, {.num_warps = 4, .num_stages = 2});
// CHECK-LABEL: struct Band {
// CHECK: void consumer(
// CHECK: tile2cu::wgmma_fence(acc);

// Accumulators that only the loop carries: the wait for kt_acc is a wait for adk too, which started ahead of it. A later wait
// that left one wgmma in flight made ptxas wait once more.
__tile_global__ void gradients(const float16* __restrict__ q, const float16* __restrict__ k, const float16* __restrict__ v,
                               float* __restrict__ dk, float* dq, int first, int n) {
  grid(1);
  auto i = arange<64>(), d = arange<64>();
  auto at = i[all, none] * 64 + d[none, all];
  auto Q = make_tensor_descriptor<64, 64>(q, {n, 64}, {64, 1});
  auto kt = make_tensor_descriptor<64, 64>(k, {64, 64}, {64, 1}).load({0, 0});
  auto vt = make_tensor_descriptor<64, 64>(v, {64, 64}, {64, 1}).load({0, 0});
  auto adk = zeros<float, 64, 64>();
  for (int64_t i0 = first; i0 < n; i0 += 64) {
    auto qt = Q.load({i0, 0});
    auto p = exp(dot(qt, trans(kt)));
    auto ds = cast<float16>(p * dot(qt, trans(vt)));
    adk += dot(trans(ds), qt);
    atomic_add(dq + i0 * 64 + at, dot(ds, kt), (i0 + i < n)[all, none], memory_order::relaxed);
  }
  store(dk + at, adk);
}
inline constexpr auto gradients_64 = instantiate(gradients, {.num_warps = 4, .num_stages = 2});
// CHECK-LABEL: struct Gradients {
// CHECK: void consumer(
// CHECK: tile2cu::wgmma_wait<0>(kt_acc);
// CHECK: tile2cu::wgmma_wait<0>(adk);
