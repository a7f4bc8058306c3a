// Constant arrays are variables of the device above the kernels, once each.
// RUN: tile2cu %s --helpers=include -o - | FileCheck %s
// RUN: tile2cu %s --helpers=include -o - | FileCheck %s --check-prefix=ONCE
#include <tile2cu/tile.h>
using namespace tl;

constexpr float kLevels[4] = {-1, -0.25f, 0.25f, 1};
constexpr bool kFlags[2] = {true, false};
template <class T>
struct Limits {
  static constexpr T kEnds[2] = {T(-5), T(5)};
};
namespace names {
constexpr int out[2] = {3, 4};
}

// CHECK: __device__ const float kLevels[4] = {-1.0f, -0.25f, 0.25f, 1.0f};
// CHECK: __device__ const bool kFlags[2] = {true, false};
// CHECK: __device__ const float kEnds[2] = {-5.0f, 5.0f};
// CHECK: __device__ const int kEnds_2[2] = {-5, 5};
// CHECK: __device__ const int out_2[2] = {3, 4};
// ONCE-COUNT-1: kLevels[4]
// ONCE-NOT: kLevels[4]

// CHECK: first_kernel(
// CHECK: kLevels + codes_tile
// CHECK: = kLevels[n & 3];
// CHECK: kFlags_value = kFlags[and_value];
// CHECK: kEnds_value = kEnds[and_value];

__tile_global__ void first(const int* codes, float* out, int n) {
  auto i = grid(1) + arange<128>();
  store(out + i, load(kLevels + load(codes + i)));
  out[n] = kLevels[n & 3];
  if (kFlags[n & 1]) out[n + 1] = Limits<float>::kEnds[n & 1] + Limits<int>::kEnds[n & 1];
}
inline constexpr auto first_f32 = instantiate(first);

// What is read from a table is no access through `out`, so that it stays __restrict__.
// CHECK: second_kernel(float* __restrict__ out, int n) {
// CHECK: kLevels[n & 3]
// CHECK: out_2[n & 1]

__tile_global__ void second(float* __restrict__ out, int n) {
  grid(1);
  out[0] = kLevels[n & 3] + names::out[n & 1];
}
inline constexpr auto second_f32 = instantiate(second);
