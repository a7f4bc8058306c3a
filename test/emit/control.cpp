// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void loops(const float* __restrict__ in, float* __restrict__ out, int n, int steps,
                           bool twice) {
  auto row = grid(n);
  auto cols = arange<512>();
  auto acc = zeros<float, 512>();
  // Iteration by iteration.
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

// A carried tile is updated in place; loops and branches look as the user wrote them.
// CHECK-LABEL: loops_kernel(const float*
// CHECK: tile2cu::vec<float, VEC> acc[VECS]
// CHECK: // Iteration by iteration.
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
// CHECK: const int i = blockIdx.x % 4;
// CHECK-NEXT: const int64_t j = blockIdx.x / 4;
// CHECK: tile2cu::block_reduce<NUM_WARPS>(m, CombinedCombine{},

__tile_global__ void left(int* __restrict__ out, int n) {
  grid(1);
  int w = n;
  while (w-- > 0) {
    if (out[w] == 3) break;
  }
  int t = 0, s = 0;
  while (t < 5) {
    t = out[s];
    s += t;
    if (t == 3) {
      s = 100;
      break;
    }
  }
  for (int k = 0; k < (n & 3); ++k) s *= n + k;
  for (int k = (n | 1); k > (n > 4 ? 2 : 1); --k) s += s / k;
  out[0] = w + s;
}

// A value that is read after a loop is assigned where the loop is left; a value without readers is not.
// CHECK-LABEL: left_kernel(int*
// CHECK: // while (w-- > 0)
// CHECK-NEXT: const int w_2 = w - 1;
// CHECK-NEXT: if (!(w > 0)) {
// CHECK-NEXT: w = w_2;
// CHECK-NEXT: break;
// CHECK: while (t < 5) {
// CHECK-NEXT: t = out[s];
// CHECK: if (t == 3) {
// CHECK-NEXT: s = 100;
// CHECK-NEXT: break;
// CHECK-NEXT: }
// CHECK-NEXT: s += t;

// A bound with an operator of lower precedence than the comparison has parentheses.
// CHECK: for (int k = 0; k < (n & 3); ++k)
// CHECK: for (int k = n | 1; k > (n > 4 ? 2 : 1); --k)
inline constexpr auto left_w1 = instantiate(left, {.num_warps = 1});

// An empty grid is fine; a negative or too large one is not.
// CHECK-LABEL: cudaError_t launch_combined(
// CHECK: const int64_t programs_x = 4;
// CHECK-NEXT: const int64_t programs_y = 5;
// CHECK-NEXT: if (programs_x == 0 || programs_y == 0) return cudaSuccess;
// CHECK-NEXT: if (programs_x < 0 || programs_y < 0) return cudaErrorInvalidValue;
// CHECK-NEXT: if (programs_x > INT_MAX / programs_y) return cudaErrorInvalidValue;
// CHECK-NEXT: combined_kernel<<<unsigned(programs_x * programs_y), 128, sizeof(CombinedSmem), stream>>>(
