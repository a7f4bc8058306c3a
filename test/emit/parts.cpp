// RUN: %tile2cu %s -o - | FileCheck %s
// An element and a part are read from shared memory at their indices; a part is put in at its
// place. A start that is a multiple of a vector's length keeps the vectors whole.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void picked(const float* __restrict__ x, float* __restrict__ y, int i, int j) {
  auto program = grid(1);
  auto r = arange<64>();
  auto at = r[all, none] * 64 + r[none, all];
  auto tile = load(x + at);
  auto element = extract(tile, i, j);
  store(y + at, tile * element);
}
inline constexpr auto picked_f32 = instantiate(picked);
// CHECK-LABEL: {{^}}picked_kernel(
// CHECK: // auto element = extract(tile, i, j)
// CHECK: tile2cu::as_vec<VEC>(&smem.tile[row][lane % 16 * VEC]) = tile[k];
// CHECK: __syncthreads();  // smem.tile has been written
// CHECK-NEXT: float element = smem.tile[i][j];
// CHECK-EMPTY:

__tile_global__ void first(const float* __restrict__ x, float* __restrict__ y) {
  auto program = grid(1);
  auto r = arange<128>();
  auto tile = load(x + r);
  auto element = extract(tile, 5);
  store(y + r, tile * element);
}
inline constexpr auto first_f32 = instantiate(first, {.num_warps = 1});
// A constant index takes a shuffle in a warp.
// CHECK-LABEL: {{^}}first_warp_kernel(
// CHECK: // auto element = extract(tile, 5)
// CHECK: tile2cu::warp_shuffle(
// CHECK-NOT: smem
// CHECK: // store(

__tile_global__ void put(const float* __restrict__ x, float* __restrict__ y, int n) {
  auto program = grid(1);
  auto r = arange<64>();
  auto row = arange<16>();
  auto tile = load(x + r[all, none] * 64 + r[none, all]);
  auto part = extract<16, 32>(tile, n, 16 * n);
  store(y + row[all, none] * 32 + arange<32>()[none, all], part);
  auto all_of_it = insert(tile, part, n, 0);
  auto set = insert(all_of_it, 3, n, 5);
  store(y + 512 + r[all, none] * 64 + r[none, all], set);
}
inline constexpr auto put_f32 = instantiate(put);
// CHECK-LABEL: {{^}}put_kernel(
// CHECK: // auto part = extract<16, 32>(tile, n, 16 * n)
// CHECK: tile2cu::as_vec<VEC>(&smem.tile[warp * 4 + lane / 8 + n][lane % 8 * VEC + step]);
// CHECK: const int n_end = n + 16;
// CHECK: all_of_it[v] =
// CHECK-NEXT: r >= n && r < n_end && column < 32 ? smem.part[r - n][lane % 16 * VEC + v] : tile[i][v];
// CHECK: set[v] = r == n && column + v == 5 ? 3.0f : all_of_it[v];
