// RUN: %tile2cu %s -o - | FileCheck %s
// A gather writes its source to shared memory in whole vectors, and reads single elements.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void gathered(const float* __restrict__ x, const int* __restrict__ order,
                              float* __restrict__ y, int rows) {
  auto row = grid(cdiv(rows, 16)) * 16 + arange<16>();
  auto column = arange<64>();
  auto at = row[all, none] * 64 + column[none, all];
  auto mask = row[all, none] < rows;
  auto tile = load(x + at, mask);
  auto index = broadcast_to<16, 64>(load(order + column)[none, all]);
  // CHECK-LABEL: // auto moved = gather<1>(tile, index)
  // CHECK: const int row = (i * NUM_WARPS + warp) * 2 + lane / 16;
  // CHECK-NEXT: tile2cu::as_vec<VEC>(&smem.tile[row][column]) = tile[i];
  // CHECK: __syncthreads();  // smem.tile has been written
  auto moved = gather<1>(tile, index);
  // CHECK: moved[v] = smem.tile[row][order_tile[v]];
  // CHECK: tile2cu::store_if<VEC>(mask, y_tile + at, moved);
  store(y + at, moved, mask);
}
inline constexpr auto gathered_f32 = instantiate(gathered);
