// A gather of rows: each thread computes the indices of its rows in an earlier loop, and moves whole vectors.
// RUN: %tile2cu %in_parts %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: gather_rows_kernel(
// CHECK: [i] = tile2cu::load_element_if(
// CHECK: tile2cu::load_if<VEC>(
// CHECK: tile2cu::store_if<VEC>(
// CHECK-LABEL: gather_rows_unaligned_kernel(
// CHECK-LABEL: void copy_a_b(
// CHECK: tile2cu::copy_to_shared_if<VEC>(
// CHECK-NEXT: &tile2cu::swizzled(smem.a[stage]
// CHECK: tile2cu::copy_to_shared_if<VEC>(
// CHECK-LABEL: product_unaligned_kernel(

__tile_global__ void gather_rows(const float16* __restrict__ x, const int* __restrict__ indices,
                                 float16* __restrict__ out, int n, int width) {
  auto rows = grid(cdiv(n, 64)) * 64 + arange<64>();
  auto inside = (rows < n)[all, none];
  auto cols = arange<128>()[none, all];
  auto at = cast<int64_t>(load(indices + rows, rows < n))[all, none];
  auto moved = load(x + at * width + cols, inside & (cols < width));
  store(out + rows[all, none] * int64_t(width) + cols, moved, inside & (cols < width));
}
inline constexpr auto gather_f16 = instantiate(gather_rows);

__tile_global__ void product(const float16* __restrict__ x, const float16* __restrict__ w,
                             const int* __restrict__ indices, float* __restrict__ out, int n, int K) {
  auto rows = grid(cdiv(n, 64)) * 64 + arange<64>();
  auto ks = arange<32>();
  auto cols = arange<64>();
  auto at = cast<int64_t>(load(indices + rows, rows < n) / 2)[all, none];
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K; k += 32) {
    auto a = load(x + at * K + (k + ks)[none, all], (rows < n)[all, none] & (ks < K - k)[none, all]);
    auto b = load(w + (k + ks)[all, none] * 64 + cols[none, all], (ks < K - k)[all, none]);
    acc = dot(a, b, acc);
  }
  store(out + rows[all, none] * 64 + cols[none, all], acc, (rows < n)[all, none]);
}
inline constexpr auto product_f16 = instantiate(product, {.num_stages = 3});
