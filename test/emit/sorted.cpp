// RUN: %tile2cu %s -o - | FileCheck %s
// Sorts in a warp; rows of several warps are merged in shared memory.
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK>
__tile_global__ void sorted_rows(const float* __restrict__ x, float* __restrict__ y, int rows,
                                 int columns) {
  require(columns <= BLOCK);
  auto row = grid(rows);
  auto column = arange<BLOCK>();
  auto mask = column < columns;
  auto values = load(x + row * columns + column, mask, inf);
  auto sorted = sort(values);
  store(y + row * columns + column, sorted, mask);
}
inline constexpr auto sorted_f32 = instantiate(sorted_rows<1024>);
// CHECK: tile2cu::sort_key<float> sorted[1024 + 32];  // padding against bank conflicts
// CHECK: constexpr int VEC_2 = 8; // neighbouring elements of a thread
// CHECK: // auto sorted = sort(values)
// CHECK: tile2cu::warp_sort(keys);
// CHECK: tile2cu::share_keys(keys, smem.sorted, tid);
// CHECK-NEXT: __syncthreads();  // the sorted runs are in smem.sorted
// CHECK: tile2cu::store_if<VEC>(mask, y_row + column,
