// A value that only one role of a kernel reads is declared in that role only, with its comment.
// RUN: %tile2cu %in_parts --arch=sm_90a %s -o - | FileCheck %s
// RUN: %tile2cu %in_parts --arch=sm_80 %s -o - | FileCheck %s --check-prefix=PARTS
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: void producer(
// CHECK: const int pm =
// CHECK-NOT: {{pn|column_start}} =
// CHECK: tile2cu::tma_load(smem.x[stage], a_map,
// CHECK-LABEL: void consumer(
// CHECK: const int pm =
// CHECK: const int pn =

template <int D>
__tile_global__ void widened(const float16* __restrict__ a, const float16* __restrict__ b,
                             float* __restrict__ c, int M, int N, int K) {
  auto [pm, pn] = grid(cdiv(M, 64), cdiv(N, D));
  auto rows = (pm * 64 + arange<64>())[all, none];
  // The program's first column.
  auto column_start = pn * D;
  auto cols = (column_start + arange<D>())[none, all];
  auto ks = arange<64>();
  auto acc = zeros<float, 64, D>();
  for (int k = 0; k < K; k += 64) {
    auto x =
        load(a + rows * int64_t(K) + (k + ks)[none, all], (rows < M) & ((k + ks)[none, all] < K));
    auto y = load(b + (k + ks)[all, none] * D + arange<D>()[none, all], (k + ks)[all, none] < K);
    acc = dot(x, y, acc);
  }
  store(c + rows * int64_t(N) + cols, acc, (rows < M) & (cols < N));
}
inline constexpr auto widened_64 = instantiate(widened<64>);

// A constant that several functions and shared memory need is declared once, in the struct of the kernel.
// PARTS-LABEL: {{^}}struct Decode {
// PARTS-NEXT: static constexpr int NUM_WARPS = 4;
// PARTS-NOT: constexpr int NUM_WARPS
// PARTS: float sc_max[NUM_WARPS * 16];
// PARTS-NOT: constexpr int NUM_WARPS
// PARTS: {{^}}decode_kernel(
// PARTS-NOT: constexpr int
// PARTS: Decode{smem, q, kc, vc, pages, lens, o, B}.run();

__tile_global__ void decode(const float16* __restrict__ q, const float16* __restrict__ kc,
                            const float16* __restrict__ vc, const int* __restrict__ pages,
                            const int* __restrict__ lens, float* __restrict__ o, int B) {
  auto [b, kvh] = grid(B, 2);
  int len = lens[b];
  auto h = arange<16>();
  auto d = arange<64>();
  auto hm = h < 4;
  auto qt = load(q + (b * 8 + kvh * 4 + h[all, none]) * 64 + d[none, all], hm[all, none]);
  auto m = full<float, 16>(-1e30f);
  auto l = zeros<float, 16>();
  auto acc = zeros<float, 16, 64>();
  for (int s = 0; s < len; s += 32) {
    auto t = s + arange<32>();
    auto page = load(pages + b * 8 + t / 16, t < len);
    auto at = ((page * 16 + t % 16) * 2 + kvh) * 64;
    auto kt = load(kc + at[all, none] + d[none, all], t[all, none] < len);
    auto vt = load(vc + at[all, none] + d[none, all], t[all, none] < len);
    auto sc = where(t[none, all] < len, dot(qt, trans(kt)) * 0.05f, -1e30f);
    auto nm = maximum(m, max<1>(sc));
    auto p = exp(sc - nm[all, none]);
    auto al = exp(m - nm);
    l = l * al + sum<1>(p);
    acc = dot(cast<float16>(p), vt, acc * al[all, none]);
    m = nm;
  }
  store(o + (b * 8 + kvh * 4 + h[all, none]) * 64 + d[none, all],
        acc / maximum(l, 1e-20f)[all, none], hm[all, none]);
}

inline constexpr auto decode_4 = instantiate(decode, {.num_warps = 4});
