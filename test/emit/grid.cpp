// RUN: %tile2cu %s -o - | FileCheck %s
// How a launcher computes the extents of a grid, and which it rejects.
#include <tile2cu/tile.h>
using namespace tl;

// The kernel assumes that each factor is positive. Two negative factors have a positive product.
__tile_global__ void product(int* o, int M, int heads) {
  auto program = grid(cdiv(M, 128) * heads);
  store(o + program, 1);
}
// CHECK-LABEL: launch_product(
// CHECK: const int64_t programs = tile2cu::cdiv(M, 128) * int64_t(heads);
// CHECK-NEXT: if (programs == 0) return cudaSuccess;
// CHECK-NEXT: if (programs < 0 || tile2cu::cdiv(M, 128) < 0) return cudaErrorInvalidValue;
// CHECK: if (blocks > INT_MAX) return cudaErrorInvalidValue;

// A single factor that is not a constant has the sign of the product.
__tile_global__ void scaled(int* o, int M) {
  auto program = grid(cdiv(M, 128) * 4);
  store(o + program, 1);
}
// CHECK-LABEL: launch_scaled(
// CHECK: if (programs < 0) return cudaErrorInvalidValue;

// The product may not fit in int64_t.
__tile_global__ void wide(int* o, int64_t a, int64_t b) {
  auto program = grid(a * b);
  store(o + program, 1);
}
// CHECK-LABEL: launch_wide(
// CHECK: const int64_t programs = tile2cu::grid_size({a, b});
// CHECK-NEXT: if (programs == 0) return cudaSuccess;
// CHECK-NEXT: if (programs < 0) return cudaErrorInvalidValue;

// A persistent kernel has one axis, whose extent is the product of the others.
__tile_global__ void axes(int* o, int a, int b, int c) {
  auto [x, y, z] = grid(a, b, c);
  store(o + ((z * b + y) * a + x), 1);
}
// CHECK-LABEL: launch_axes(
// CHECK: const int64_t programs = tile2cu::grid_size({a, b, c});

// Device functions are not available there.
__tile_global__ void functions(int* o, int n) {
  auto program = grid(abs(n) + clamp(n, 1, 5));
  store(o + program, 1);
}
// CHECK-LABEL: launch_functions(
// CHECK: std::max<int64_t>(int64_t(n), -int64_t(n)) +
// CHECK-NEXT: std::min<int64_t>(std::max<int64_t>(int64_t(n), 1), 5)

// An int, and what only makes one smaller, is at most INT_MAX.
__tile_global__ void rows(int* o, int n) {
  auto program = grid(n);
  store(o + program, 1);
}
// CHECK-LABEL: launch_rows(
// CHECK: const int64_t programs = n;
// CHECK-NEXT: if (programs == 0) return cudaSuccess;
// CHECK-NEXT: if (programs < 0) return cudaErrorInvalidValue;
// CHECK-NOT: INT_MAX
__tile_global__ void some_rows(int* o, int n, int64_t m) {
  auto program = grid(minimum(int64_t(cdiv(n, 4)), m));
  store(o + program, 1);
}
// CHECK-LABEL: launch_some_rows(
// CHECK-NOT: INT_MAX
// The sum of two ints is computed in 64 bits.
__tile_global__ void both_rows(int* o, int n, int m) {
  auto program = grid(n + m);
  store(o + program, 1);
}
// CHECK-LABEL: launch_both_rows(
// CHECK: if (programs > INT_MAX) return cudaErrorInvalidValue;
__tile_global__ void long_rows(int* o, int64_t n, unsigned m) {
  auto program = grid(maximum(cdiv(n, 4), int64_t(m)));
  store(o + program, 1);
}
// CHECK-LABEL: launch_long_rows(
// CHECK: if (programs > INT_MAX) return cudaErrorInvalidValue;

inline constexpr auto f1 = instantiate(product, {.num_warps = 1});
inline constexpr auto f2 = instantiate(scaled, {.num_warps = 1});
inline constexpr auto f3 = instantiate(wide, {.num_warps = 1});
inline constexpr auto f4 = instantiate(axes, {.num_warps = 1, .persistent = true});
inline constexpr auto f5 = instantiate(functions, {.num_warps = 1});
inline constexpr auto f6 = instantiate(rows, {.num_warps = 4});
inline constexpr auto f7 = instantiate(some_rows, {.num_warps = 4});
inline constexpr auto f8 = instantiate(both_rows, {.num_warps = 4});
inline constexpr auto f9 = instantiate(long_rows, {.num_warps = 4});
