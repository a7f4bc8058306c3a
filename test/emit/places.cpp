// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
// Accesses that are known not to overlap need no barrier; accesses before a loop need one, before the loop.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: blocks_kernel(float*
// CHECK-NOT: __syncthreads
// CHECK-LABEL: close_blocks_kernel(float*

__tile_global__ void blocks(float* __restrict__ out, int rows, int n) {
  grid(1);
  auto i = arange<512>();
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < n; k += 512) store(out + row * n + k + i, float(row), i < n - k);
}
inline constexpr auto blocks_f32 = instantiate(blocks, {.num_warps = 4});

// CHECK: k += 500
// CHECK: __syncthreads();  // the stores above are ordered before those below

__tile_global__ void close_blocks(float* __restrict__ out, int rows, int n) {
  grid(1);
  auto i = arange<512>();
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < n; k += 500) store(out + row * n + k + i, float(row), i < n - k);
}
inline constexpr auto close_blocks_f32 = instantiate(close_blocks, {.num_warps = 4});

// CHECK-LABEL: planes_kernel(float*
// CHECK-NOT: __syncthreads
// CHECK-LABEL: halves_kernel(float*

__tile_global__ void planes(float* __restrict__ out, int depth, int height, int width) {
  auto [y, x] = grid(cdiv(height, 8), cdiv(width, 64));
  auto r = (y * 8 + arange<8>())[all, none];
  auto c = (x * 64 + arange<64>())[none, all];
  for (int z = 0; z < depth; ++z) {
    auto p = out + (int64_t(z) * height + r) * width + c;
    store(p, load(p, (r < height) & (c < width)) * 2, (r < height) & (c < width));
  }
}
inline constexpr auto planes_f32 = instantiate(planes, {.num_warps = 4});

// Both halves of a row in one loop.
// CHECK: constexpr int ROW_STEPS
// CHECK: for (int
// CHECK: tile2cu::store_if
// CHECK-NOT: const int row
// CHECK: tile2cu::store_if
// CHECK-NOT: __syncthreads
// CHECK-LABEL: scaled_kernel(float*

__tile_global__ void halves(float* __restrict__ out, int rows, int size) {
  auto r = (grid(cdiv(rows, 16)) * 16 + arange<16>())[all, none];
  auto i = arange<64>()[none, all];
  auto half = size / 2;
  auto p = out + r * size + i;
  auto inside = (r < rows) & (i < half);
  store(p, 1.0f, inside);
  store(p + half, 2.0f, inside);
}
inline constexpr auto halves_f32 = instantiate(halves, {.num_warps = 4});

// CHECK: const float first = *out;
// CHECK: __syncthreads();  // the loads above have completed before the stores below
// CHECK-EMPTY:
// CHECK-NEXT: for (int k = 0; k < n; k += 512) {
// CHECK-NOT: __syncthreads
// CHECK: {{^}}}

__tile_global__ void scaled(float* __restrict__ out, int n) {
  grid(1);
  float first = *out;
  auto i = arange<512>();
  for (int k = 0; k < n; k += 512) store(out + k + i, load(out + k + i, i < n - k) / first, i < n - k);
}
inline constexpr auto scaled_f32 = instantiate(scaled, {.num_warps = 4});
