// RUN: %tile2cu %s --device-header=include -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void loops(const float* __restrict__ in, float* __restrict__ out, int n, int steps,
                           bool twice) {
  auto row = grid(n);
  auto cols = arange<512>();
  auto acc = zeros<float, 512>();
  // Step by step.
  for (int step = 0; step < steps; ++step) {
    auto x = load(in + row * n + step * 512 + cols);
    acc = acc * 0.5f + x;
  }
  int left = steps;
  while (left > 1) {
    left = left / 2;
    if (left == 9) break;
  }
  if (twice) {
    store(out + cols, acc + acc);
  } else {
    store(out + cols, acc * float(left));
  }
}

// A carried tile is written over in place; loops and branches are what the user wrote.
// CHECK-LABEL: loops_kernel(const float*
// CHECK: tile2cu::vec<float, VEC> acc[VECS]
// CHECK: // Step by step.
// CHECK-NEXT: for (int step = 0; step < steps; ++step) {
// CHECK: // acc = acc * 0.5f + x
// CHECK-NOT: vec<
// CHECK: = acc[i][v] * 0.5f + x[i][v];
// CHECK-NOT: acc_2
// CHECK: int left = steps;
// CHECK: while (left > 1) {
// CHECK: if (left{{.*}} == 9)
// CHECK: break;
// CHECK-NOT: // if (twice)
// CHECK: if (twice) {
// CHECK: acc[i][v] + acc[i][v]
// CHECK: } else {
// CHECK: store_if

__tile_global__ void combined(const float* __restrict__ in, float* __restrict__ out) {
  auto [i, j] = grid(4, 5);
  auto x = load(in + i * 512 + arange<512>());
  auto m = reduce<0>(x, [](float a, float b) { return a * b + 1.0f; });
  store(out + j, m);
}

// The combine function is a functor at namespace scope, with the user's parameters.
// CHECK: struct CombinedCombine {
// CHECK-NEXT: {{.*}}float operator()(float a, float b) const { return a * b + 1.0f; }
// CHECK: combined_kernel(const float*
// CHECK: const int64_t i = blockIdx.x % 4;
// CHECK-NEXT: const int64_t j = blockIdx.x / 4;
// CHECK: tile2cu::block_reduce<NUM_WARPS>(m, CombinedCombine{},

// A grid of no programs is fine, a negative or too large one is not.
// CHECK-LABEL: cudaError_t launch_combined(
// CHECK: const int64_t programs_x = 4;
// CHECK-NEXT: const int64_t programs_y = 5;
// CHECK-NEXT: if (programs_x < 0 || programs_y < 0) return cudaErrorInvalidValue;
// CHECK-NEXT: if (programs_x == 0 || programs_y == 0) return cudaSuccess;
// CHECK-NEXT: if (programs_x > INT_MAX / programs_y) return cudaErrorInvalidValue;
// CHECK-NEXT: combined_kernel<<<unsigned(programs_x * programs_y), 128, sizeof(CombinedSmem), stream>>>(
