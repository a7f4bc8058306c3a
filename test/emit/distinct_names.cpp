// The names of two instances of a kernel are distinct, and a small integer in braces is not converted from an int.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

template <int A, int B>
__tile_global__ void sums(const uint8_t* __restrict__ x, int* __restrict__ y) {
  grid(1);
  auto i = arange<A * 16>()[all, none] * B + arange<B>();
  auto v = load(x + i);
  // CHECK: tile2cu::indexed<uint8_t>{uint8_t(
  *y = sum(cast<int>(v)) + argmin(ravel(where(v > 3, v, uint8_t(100))));
}
// CHECK-DAG: struct SumsSmem {
// CHECK-DAG: struct Sums1_64Smem {
// CHECK-DAG: struct Sums16_4Smem {
inline constexpr auto k0 = instantiate(sums<8, 16>, {.num_warps = 4});
inline constexpr auto k1 = instantiate(sums<1, 64>, {.num_warps = 4});
inline constexpr auto k2 = instantiate(sums<16, 4>, {.num_warps = 4});

// Struct names of kernels whose names differ only by an underscore.
__tile_global__ void f_2(const float16* __restrict__ v, float* __restrict__ o) {
  grid(1);
  auto at = arange<64>()[all, none] * 64 + arange<64>()[none, all];
  store(o + at, dot(load(v + at), load(v + at)));
}
__tile_global__ void f2(const float16* __restrict__ v, float* __restrict__ o) {
  grid(1);
  auto at = arange<32>()[all, none] * 32 + arange<32>()[none, all];
  store(o + at, dot(load(v + at), load(v + at)));
}
// CHECK-DAG: struct F2Smem {
// CHECK-DAG: struct F2_2Smem {

inline constexpr auto underscored = instantiate(f_2, {.num_warps = 4});
inline constexpr auto plain = instantiate(f2, {.num_warps = 4});
