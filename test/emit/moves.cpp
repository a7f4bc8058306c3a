// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// Reversed within each warp: one shuffle per element, and no shared memory.
__tile_global__ void reversed(const float* __restrict__ in, float* __restrict__ out) {
  auto row = grid(4);
  auto i = arange<128>();
  auto x = load(in + row * 128 + i);
  x = flip(x);
  store(out + row * 128 + i, x);
}
inline constexpr auto reversed_1 = instantiate(reversed, {.num_warps = 1});
// CHECK-LABEL: reversed_warp_kernel(const float*
// CHECK-NOT: smem
// CHECK: // x = flip(x)
// CHECK-NEXT: // Each thread takes its elements from the lanes that hold them: no shared memory, as the
// CHECK-NEXT: // tile does not leave its warp.
// CHECK-NEXT: tile2cu::vec<float, VEC> x_moved;
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int v = 0; v < VEC; ++v) x_moved[v] = tile2cu::warp_shuffle(x[3 - v], 31 - lane);

// Every second element of a tile: in its own register, whatever the lane.
__tile_global__ void halved(const int* __restrict__ in, int* __restrict__ even, int* __restrict__ odd) {
  grid(1);
  auto i = arange<64>();
  auto [a, b] = split(load(in + i[all, none] * 2 + arange<2>()[none, all]));
  store(even + i, a);
  store(odd + i, b);
}
inline constexpr auto halved_2 = instantiate(halved, {.num_warps = 2});
// CHECK-LABEL: halved_kernel(const int*
// CHECK-NOT: smem
// CHECK: // Each thread has its elements already, in other registers.
// CHECK-NEXT: // a: element tid of the tile.
// CHECK-NEXT: int a = in_tile[0];
// CHECK-NEXT: int b = in_tile[1];

// The lane determines which of two registers it is: both are shuffled, unconditionally.
__tile_global__ void upper(const int8_t* __restrict__ in, int8_t* __restrict__ out) {
  grid(1);
  auto x = load(in + arange<128>());
  store(out + arange<64>(), x[slice<64, 128>]);
}
inline constexpr auto upper_1 = instantiate(upper, {.num_warps = 1});
// CHECK-LABEL: upper_warp_kernel(const int8_t*
// CHECK-NOT: smem
// CHECK: for (int k = 0; k < 2; ++k) {
// CHECK-NEXT: const int8_t sent = tile2cu::warp_shuffle(x[{{.*}}k{{.*}}], lane / 2 + 16);
// CHECK-NEXT: if (lane % 2 == k) {{.*}} = sent;
