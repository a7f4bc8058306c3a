// Functors of several kernels in one file: each kernel uses its own, which its namespace defines, without the kernel's numbers.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// The second kernel's SumsCombine gets another name, which is not that of its SumsCombine2.
template <int N, int MODE>
__tile_global__ void sums(float* __restrict__ out, const float* __restrict__ in, float q) {
  grid(1);
  auto x = load(in + arange<N>());
  if constexpr (MODE == 0) {
    out[0] = reduce<0>(x, [=](float u, float v) { return u * q + v; });
  } else {
    out[0] = reduce<0>(x, [=](float u, float v) { return u * v * q; });
    out[1] = reduce<0>(x, [=](float u, float v) { return u - (v - q); });
  }
}
inline constexpr auto one = instantiate(sums<64, 0>);
inline constexpr auto two = instantiate(sums<64, 1>);
// CHECK: struct SumsCombine {
// CHECK: return a * q + b; }
// CHECK: struct SumsCombine2 {
// CHECK: return a * b * q; }
// CHECK: struct SumsCombine3 {
// CHECK: return a - (b - q); }
// CHECK: {{^}}sums_64_1_kernel(
// CHECK: warp_reduce(partial, SumsCombine2{q});
// CHECK: warp_reduce(partial_2, SumsCombine3{q});

// Each namespace has its own.
namespace first {
template <int N>
__tile_global__ void last(float* __restrict__ out, const float* __restrict__ in, float q) {
  grid(1);
  auto x = load(in + arange<N>());
  out[0] = reduce<0>(x, [=](float u, float v) { return u * q + v; });
}
inline constexpr auto three = instantiate(last<64>);
}  // namespace first
namespace second {
template <int N>
__tile_global__ void last(float* __restrict__ out, const float* __restrict__ in, float q) {
  grid(1);
  auto x = load(in + arange<N>());
  out[1] = reduce<0>(x, [=](float u, float v) { return u * q + v; });
}
inline constexpr auto four = instantiate(last<64>);
}  // namespace second
// CHECK: namespace first {
// CHECK: struct LastCombine {
// CHECK: }  // namespace first
// CHECK: namespace second {
// CHECK: struct LastCombine {
// CHECK: warp_reduce(partial, LastCombine{q});
// CHECK: }  // namespace second

// FACTOR is a name in the kernel only.
template <int N, int FACTOR>
__tile_global__ void numbers(int* __restrict__ out, const int* __restrict__ in) {
  grid(1);
  auto x = load(in + arange<N>()) * FACTOR;
  out[0] = reduce<0>(x, [=](int u, int v) { return u * FACTOR + v; });
}
inline constexpr auto five = instantiate(numbers<64, 77>);
inline constexpr auto six = instantiate(numbers<64, 78>);
// CHECK: struct NumbersCombine {
// CHECK-NEXT: return a * 77 + b; }
// CHECK: constexpr int FACTOR = 77;
// CHECK: struct NumbersCombine2 {
// CHECK-NEXT: return a * 78 + b; }
// CHECK: constexpr int FACTOR = 78;
