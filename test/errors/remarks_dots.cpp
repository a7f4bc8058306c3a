// Remarks about dots.
// RUN: %tile2cu -Rtile --arch=sm_80 %s -o %t.cu 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void products(const float16* __restrict__ a, const float* __restrict__ b, const int8_t* __restrict__ d, float* __restrict__ c) {
  grid(1);
  auto i = arange<16>()[all, none] * 16 + arange<16>()[none, all];
  auto x = load(a + i);
  // CHECK: :[[@LINE+1]]:12: remark: this dot runs on tensor cores: mma_m16n8k16_f16
  auto p = dot(x, x);
  auto y = load(b + i);
  // CHECK: :[[@LINE+1]]:12: remark: this dot runs on tensor cores: mma_m16n8k8_tf32
  auto q = dot(y, y);
  // CHECK: :[[@LINE+1]]:12: remark: this dot runs on tensor cores: three times mma_m16n8k8_tf32
  auto r = dot(y, y, precision::tf32x3);
  // CHECK: :[[@LINE+1]]:12: remark: this dot runs without tensor cores: precision::ieee multiplies floats without rounding them to tf32
  auto s = dot(y, y, precision::ieee);
  auto z = load(d + i);
  // CHECK: :[[@LINE+1]]:44: remark: this dot runs on tensor cores: mma_m16n8k32_s8, padded to 16 x 16 x 32
  store(c + i, p + q + r + s + cast<float>(dot(z, z)));
}
inline constexpr auto products_4 = instantiate(products, {.num_warps = 4});

__tile_global__ void apart(const double* __restrict__ a, float* __restrict__ c) {
  grid(1);
  auto i = arange<16>()[all, none] * 16 + arange<16>()[none, all];
  auto x = load(a + i);
  auto y = cast<float>(x);
  // CHECK: :[[@LINE+2]]:16: remark: this dot runs on tensor cores: mma_m16n8k8_tf32
  // CHECK: :[[@LINE+1]]:40: remark: this dot runs without tensor cores: its accumulator has the layout of another dot
  store(c + i, dot(y, y) + cast<float>(dot(x, x)));
}
inline constexpr auto apart_4 = instantiate(apart, {.num_warps = 4});

__tile_global__ void batch(const float16* __restrict__ a, float* __restrict__ c) {
  grid(1);
  auto at = iota<1, 2, 16, 16>() * 16 + iota<2, 2, 16, 16>();
  auto i = iota<0, 2, 16, 24>() * 384 + iota<1, 2, 16, 24>() * 24 + iota<2, 2, 16, 24>();
  auto x = load(a + i);
  auto y = permute<0, 2, 1>(x);
  // CHECK: :[[@LINE+1]]:46: remark: this dot runs on tensor cores: mma_m16n8k16_f16, padded to 2 x 16 x 16 x 32
  store(c + iota<0, 2, 16, 16>() * 256 + at, dot(x, y));
  auto apart = permute<2, 0, 1>(load(a + iota<0, 16, 16, 2>() * 32 + iota<1, 16, 16, 2>() * 2 + iota<2, 16, 16, 2>()));
  // CHECK: :[[@LINE+1]]:46: remark: this dot runs without tensor cores: neighbours in memory belong to different batches
  store(c + iota<0, 2, 16, 16>() * 256 + at, dot(apart, apart));
  auto row = load(a + arange<16>()[none, all]);
  // CHECK: :[[@LINE+1]]:38: remark: this dot runs without tensor cores: it has a single row or column
  store(c + arange<16>()[none, all], dot(row, load(a + iota<0, 16, 16>() * 16 + iota<1, 16, 16>())));
}
inline constexpr auto batch_4 = instantiate(batch, {.num_warps = 4});

__tile_global__ void causal(const float16* __restrict__ a, float* __restrict__ c, int n) {
  auto i = grid(cdiv(n, 64)) * 64 + arange<64>()[all, none];
  auto k = arange<64>();
  auto x = load(a + i * 64 + k[none, all], i < n);
  auto acc = zeros<float, 64, 64>();
  for (int start = 0; start < n; start += 64) {
    auto y = load(a + (start + k)[all, none] * 64 + k[none, all], (start + k)[all, none] < n);
    // CHECK: :[[@LINE+1]]:12: remark: the mask of this selection is applied only in iterations in which it may be false
    acc += where((start + k)[none, all] <= i, dot(x, trans(y)), 0.0f);
  }
  store(c + i * 64 + k[none, all], acc, i < n);
}
inline constexpr auto causal_4 = instantiate(causal, {.num_warps = 4});
