// RUN: tile2cu %s -o - | FileCheck %s
// device_assert: each element of a thread is checked if the mask is true and the tile has it; the text says where and what.
#include <tile2cu/tile.h>
using namespace tl;

template <int N>
__tile_global__ void checked(const float* __restrict__ x, float* y, int n) {
  grid(1);
  auto i = arange<N>();
  auto a = load(x + i, i < n, 1.0f);
  device_assert(a < 2, "\"small\"", i < n - 1);
  device_assert(a > -1);
  device_assert(n > 3, "enough");
  store(y + i, a * 2, i < n);
}
inline constexpr auto checked_64 = instantiate(checked<64>, {.num_warps = 2});
// CHECK-LABEL: checked_kernel(
// CHECK: tile2cu::device_assert(!(tid < n_left) || a < 2.0f, "asserts.cpp:11: \"small\"");
// CHECK-NEXT: tile2cu::device_assert(a > -1.0f, "asserts.cpp:12: device_assert(a > -1)");
// CHECK: tile2cu::device_assert(n > 3, "asserts.cpp:13: enough");

inline constexpr auto checked_1000 = instantiate(checked<1000>, {.num_warps = 4});
// CHECK-LABEL: checked_1000_kernel(
// CHECK: for (int v = 0; v < VEC; ++v) {
// CHECK-NEXT: tile2cu::device_assert(!(index + v < n_left && index < N) || a[i][v] < 2.0f,
// CHECK-NEXT: "asserts.cpp:11: \"small\"");
// CHECK-NEXT: tile2cu::device_assert(!(index < N) || a[i][v] > -1.0f,
// CHECK-NEXT: "asserts.cpp:12: device_assert(a > -1)");
