// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
// Iterations of a loop that each access a row of their own need no barrier between them.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void apart(float* __restrict__ out, int rows, int n) {
  auto column = grid(cdiv(n, 512)) * 512 + arange<512>();
  for (int row = 0; row < rows; ++row) store(out + row * n + column, float(row), column < n);
}

// CHECK-LABEL: apart_kernel(float*
// CHECK-NOT: __syncthreads
// CHECK-LABEL: overlapping_kernel(float*
// CHECK: __syncthreads();  // the stores above are ordered before those below

__tile_global__ void overlapping(float* __restrict__ out, int rows, int n, int stride) {
  auto column = grid(cdiv(n, 512)) * 512 + arange<512>();
  for (int row = 0; row < rows; ++row) store(out + row * stride + column, float(row), column < n);
}
inline constexpr auto apart_f32 = instantiate(apart, {.num_warps = 4});
inline constexpr auto overlapping_f32 = instantiate(overlapping, {.num_warps = 4});
