// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
// A branch that changes a tile without other readers updates it in place; loops do not take the names of the user's scalars;
// a value that C++ widens by itself gets no variable.
#include <tile2cu/tile.h>
using namespace tl;

template <int M, int N>
__tile_global__ void masked(const float* __restrict__ in, float* __restrict__ v, int i, int k) {
  auto row = grid(k);
  auto width = i / 3;
  auto first = row * width + (row + 1) * width;
  auto offsets = arange<M>()[all, none] * N + arange<N>()[none, all];
  auto x = exp(load(in + first + offsets));
  if (k > 5) x = where(offsets < i, x, 0);
  auto largest = max<1>(x);
  store(v + first + offsets, x - largest[all, none]);
}
inline constexpr auto masked_1 = instantiate(masked<16, 64>, {.num_warps = 4});

// CHECK: masked_kernel(
// CHECK: const int width = i / 3;
// CHECK-NOT: int64_t(width)
// CHECK: const int64_t first = int64_t(row) * width + int64_t(row + 1) * width;
// CHECK: for (int j = 0; j < ROW_STEPS; ++j) x[j] = tile2cu::exp(
// CHECK-NEXT: {{^$}}
// CHECK-NEXT: if (k > 5) {
// CHECK-NOT: else
// CHECK: x[j] = offset < i ? x[j] : 0.0f;
// CHECK-NOT: else
// CHECK: float largest
