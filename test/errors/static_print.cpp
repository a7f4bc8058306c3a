// RUN: %tile2cu %s --emit=ir --passes=none -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
template <int N>
__tile_global__ void kernel(float* out) {
  auto row = tl::grid(N);
  auto x = tl::zeros<float, N>();
  // CHECK: :[[@LINE+1]]:3: remark: x: tile<32xf32> and 32
  tl::static_print(x, "and", N);
  out[row] = tl::sum(x);
}
inline constexpr auto kernel_32 = tl::instantiate(kernel<32>);
