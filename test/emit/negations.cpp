// RUN: %tile2cu %s -o - | FileCheck %s
// nvcc may drop the sign of an integer that it takes a maximum of, so that it must not see a negation there (device/math_ptx.cuh).
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void largest(const int* __restrict__ in, int* __restrict__ out) {
  grid(1);
  auto i = arange<128>();
  auto x = load(in + i), y = load(in + (i ^ 1));
  auto negated = -x;
  store(out + i, maximum(maximum(y, negated), x) + negated);
  store(out + 128 + i, maximum(y, x * -4));
  store(out + 256 + i, maximum(y, cast<int>(-cast<int64_t>(x))));
}
inline constexpr auto largest_4 = instantiate(largest, {.num_warps = 4});

// CHECK-LABEL: largest_kernel(
// CHECK: const int negated = tile2cu::negate<int>(x);
// CHECK: max(max(y, negated), x)
// CHECK: max(y, tile2cu::negate<int>(x) * 4)
// CHECK: max(y, int(tile2cu::negate<int64_t>(int64_t(x))))

// Floats keep their signs, and so do integers of a kernel without maxima and minima.
__tile_global__ void signs(const int* __restrict__ in, const float* __restrict__ f, int* __restrict__ out,
                           float* __restrict__ to) {
  int row = grid(8);
  out[row] = -in[row];
  auto i = arange<128>();
  auto x = load(f + i);
  store(to + i, maximum(maximum(x, -x), 1.0f));
}
inline constexpr auto signs_4 = instantiate(signs, {.num_warps = 4});

// CHECK-LABEL: signs_kernel(
// CHECK: out[row] = -in_value;
// CHECK: fmaxf(fmaxf(x, -x), 1.0f)
