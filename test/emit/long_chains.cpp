// Long chains whose values are read twice each: after a vote, as its condition, as addresses, as the bound of a loop, in two
// layouts, and as masks. Each value is visited once, or a limited number of times.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: if (any)
// CHECK: scalars_kernel(
// CHECK: turns_warp_kernel(

__tile_global__ void hashes(const uint32_t* __restrict__ x, uint32_t* __restrict__ y, int n) {
  grid(1);
  auto i = arange<128>();
  auto p = load(x + i);
  for (int k = 0; k < n; ++k) {
    auto v = load(x + k * 16 + i);
    auto f = p;
    for (int s : static_range<60>()) f = f ^ (f >> (s % 9 + 1));
    p = where(v > 7u, f, p);
  }
  store(y + i, p);
}
inline constexpr auto hashed = instantiate(hashes, {.num_warps = 4});

__tile_global__ void scalars(float* __restrict__ x, int n) {
  grid(1);
  auto i = arange<128>();
  auto p = load(x + i);
  int end = n;
  for (int s : static_range<60>()) end = end + end / (s + 3);
  for (int k = 0; k < end; k += 3) {
    int at = k;
    for (int s : static_range<60>()) at = at + at / (s + 3);
    auto f = i;
    for (int s : static_range<60>()) f = f ^ (f >> (s % 9 + 1));
    p = where(f > 7, p + 1.0f, p);
    store(x + at + i, p, i < at);
  }
}
inline constexpr auto scalar_chains = instantiate(scalars, {.num_warps = 4});

__tile_global__ void turns(const uint32_t* __restrict__ x, uint32_t* __restrict__ y) {
  grid(1);
  auto at = arange<16>()[all, none] * 16 + arange<16>()[none, all];
  auto p = load(x + at);
  for (int s : static_range<30>()) p = trans(p) + p;
  store(y + at, p);
}
inline constexpr auto turned = instantiate(turns, {.num_warps = 1});

// CHECK: masks_{{.*}}kernel(
__tile_global__ void masks(const float16* __restrict__ x, float* __restrict__ y, int n) {
  grid(1);
  auto i = arange<64>();
  auto a = load(x + i[all, none] * 64 + i[none, all]);
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < n; ++k) {
    auto key = (k + i)[none, all];
    auto m = key < n;
    auto least = key;
    for (int s : static_range<50>()) {
      m = (m & (key < n + s)) | (m & (key + s < n));
      least = minimum(least, maximum(least, s));
    }
    auto s = dot(a, a);
    acc += where(m & (least < n), where(least < 7, s, 1.0f), 0.0f);
  }
  store(y + i[all, none] * 64 + i[none, all], acc);
}
inline constexpr auto masked = instantiate(masks, {.num_warps = 4});
