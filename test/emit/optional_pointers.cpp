// Tests of pointers for null, in kernels and in launchers.
// RUN: tile2cu %s --helpers=include -o - | FileCheck %s
// RUN: tile2cu --arch=sm_90a %s --helpers=include -o - | FileCheck %s --check-prefix=HOPPER
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: //   null    weight, bias may be nullptr
// CHECK-NEXT: //   VEC > 1 needs x, weight, bias, y aligned to 16 bytes
// CHECK: if (weight != nullptr) {
// CHECK: load_prefix<VEC>(remaining, weight + index, 0.0f);
// CHECK: {{^}}  }
// CHECK: if (bias == nullptr) {
// CHECK: } else {
// CHECK: load_prefix<VEC>(remaining, bias + index, 0.0f);

__tile_global__ void affine(const float* __restrict__ x, const float* __restrict__ weight,
                            const float* __restrict__ bias, float* __restrict__ y, int n) {
  auto i = arange<1024>();
  grid(1);
  auto v = load(x + i, i < n);
  if (weight) v *= load(weight + i, i < n);
  if (!bias) v += 1;
  else v += load(bias + i, i < n);
  store(y + i, v, i < n);
}
inline constexpr auto affine_f32 = instantiate(affine);

// A choice, and a variable that is null at first.
// CHECK: chosen_kernel(
// CHECK: const float* const p = n > 100 ? bias : nullptr;
// CHECK: if (p != nullptr) {
// CHECK: const float* q = nullptr;
// CHECK: if (q != nullptr)
// CHECK: q = bias;

__tile_global__ void chosen(const float* bias, float* y, int n) {
  grid(1);
  const float* p = n > 100 ? bias : nullptr;
  if (p != nullptr) y[n] = p[n];
  const float* q = nullptr;
  for (int k = 0; k < n; ++k) {
    if (q) y[k] = q[k];
    q = bias;
  }
}
inline constexpr auto chosen_f32 = instantiate(chosen);

// HOPPER: if (c != nullptr) {
// HOPPER: make_tensor_map(&c_map

template <bool HAS_BIAS>
__tile_global__ void products(const float16* __restrict__ a, const float16* __restrict__ b,
                              const float16* __restrict__ c, const float* __restrict__ bias,
                              float* __restrict__ y, int n, int k) {
  require((bias != nullptr) == HAS_BIAS);
  grid(1);
  auto i = arange<64>();
  auto acc = zeros<float, 64, 64>();
  auto inside = (i < n)[none, all];
  for (int s = 0; s < k; s += 64) {
    auto at = s + i;
    auto u = load(a + i[all, none] * k + at[none, all], (at < k)[none, all], 0);
    acc = dot(u, load(b + at[all, none] * n + i[none, all], (at < k)[all, none] & inside, 0), acc);
  }
  if (c) {
    for (int s = 0; s < k; s += 64) {
      auto at = s + i;
      auto u = load(c + i[all, none] * k + at[none, all], (at < k)[none, all], 0);
      acc = dot(u, load(b + at[all, none] * n + i[none, all], (at < k)[all, none] & inside, 0), acc);
    }
  }
  if constexpr (HAS_BIAS) acc += load(bias + i, i < n)[none, all];
  store(y + i[all, none] * n + i[none, all], acc, inside);
}

// The launcher tests the pointer too.
// CHECK: cudaError_t products_f16(
// CHECK: bias != nullptr
inline constexpr auto products_f16 = select(candidate(products<true>), candidate(products<false>));
