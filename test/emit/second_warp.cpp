// A reduction over two of four warps: the second result is added without a loop. A launcher's remainder of an int is one of ints.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: sums_unaligned_kernel(
// CHECK: total = smem.total[warp % 2 * 32 + lane];
// CHECK-NEXT: total += smem.total[64 + warp % 2 * 32 + lane];
// CHECK: if (!(n % 64 == 0)) return cudaErrorInvalidValue;

__tile_global__ void sums(const float* __restrict__ in, float* __restrict__ out, int n) {
  require(n % 64 == 0);
  auto block = grid(n / 64);
  auto rows = arange<32>()[all, none];
  auto columns = block * 64 + arange<64>();
  auto total = sum<0>(load(in + rows * n + columns[none, all]));
  store(out + columns, total);
}
inline constexpr auto sums_f32 = instantiate(sums, {.num_warps = 4});
