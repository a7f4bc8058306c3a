// RUN: tile2cu --checks %s -o - | FileCheck %s
// RUN: tile2cu %s -o - | FileCheck %s --check-prefix=PLAIN
// --checks: promises, 32-bit arithmetic of addresses, and indices, each with its line.
#include <tile2cu/tile.h>
using namespace tl;
// PLAIN-NOT: check(
// PLAIN-NOT: check_value(

constexpr int kTable[3] = {1, 2, 3};

__tile_global__ void promised(float* out, int n, int stride) {
  assume(n > 0);
  stride = assume_divisible<4>(stride);
  auto row = grid(n);
  float* p = assume_aligned<16>(out + row * stride);
  store(p + arange<64>(), 1.0f);
}
inline constexpr auto promised_f32 = instantiate(promised, {.num_warps = 2});
// CHECK-LABEL: promised_kernel(
// CHECK: // assume(n > 0)
// CHECK-NEXT: tile2cu::check(n > 0, "checks.cpp:12: assume(n > 0)");
// CHECK: // stride = assume_divisible<4>(stride)
// CHECK-NEXT: tile2cu::check_value(stride % 4 == 0, "checks.cpp:13: assume_divisible<4>(stride)", stride);
// CHECK: float* const p = out + row * stride;
// CHECK-NEXT: tile2cu::check(int(tile2cu::bit_cast<int64_t>(p) % 16) == 0,
// CHECK-NEXT: "checks.cpp:15: assume_aligned<16>(out + row * stride)");

__tile_global__ void indexed(const float* x, float* out, int n, int stride) {
  grid(1);
  auto i = arange<64>();
  auto start = n * stride;
  auto v = gather(load(x + start + i), i ^ n);
  store(out + i, v * kTable[n], i < n);
}
inline constexpr auto indexed_f32 = instantiate(indexed, {.num_warps = 2});
// CHECK-LABEL: indexed_kernel(
// CHECK: const int start = n * stride;
// CHECK-NEXT: const int64_t exact = int64_t(n) * stride;
// CHECK-NEXT: tile2cu::check_value(exact >= int64_t(INT_MIN) && exact <= 2147483647,
// CHECK-NEXT: "checks.cpp:31: the product does not fit int: auto start = n * stride",
// CHECK-NEXT: exact);
// CHECK: tile2cu::check_value(
// CHECK-NEXT: {{.*}} >= 0 && {{.*}} <= 63,
// CHECK-NEXT: "checks.cpp:32: the index is outside of 0 to 63:
// CHECK: tile2cu::check_value(n >= 0 && n <= 2,
// CHECK-NEXT: "checks.cpp:33: the index of kTable is outside of 0 to 2:
