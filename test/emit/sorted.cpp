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

// Only the first elements are kept: here of one row of 1024, by all warps.
template <int BLOCK, int K>
__tile_global__ void first_of_row(const float* __restrict__ x, float* __restrict__ y,
                                  int* __restrict__ places, int columns) {
  require(columns <= BLOCK);
  auto row = grid(1);
  auto column = arange<BLOCK>();
  auto values = load(x + row * columns + column, column < columns, -inf);
  auto [most, where_] = topk<K>(values);
  store(y + row * K + arange<K>(), most);
  store(places + row * K + arange<K>(), where_);
}
inline constexpr auto first_f32 = instantiate(first_of_row<1024, 8>);
// CHECK: tile2cu::indexed_key<float, true> most[32 + 1];  // padding against bank conflicts
// CHECK: // most: element threadIdx.x % K of the tile.
// CHECK: tile2cu::warp_first<K>(keys);
// CHECK-NEXT: tile2cu::share_first<K>(keys, smem.most, warp);
// CHECK-NEXT: __syncthreads();  // the first keys of each warp are in smem.most
// CHECK-NEXT: tile2cu::merge_first<K, NUM_WARPS>(keys, smem.most, warp);
// CHECK: most = keys[0].value();
// CHECK: tile2cu::store_element_if(lane < 8 && warp == 0, y_row + index, most);
