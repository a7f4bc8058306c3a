// What -Rtile says of matrix products.
// RUN: %tile2cu -Rtile --arch=sm_80 %s -o %t.cu 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void products(const float16* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
  grid(1);
  auto i = arange<16>()[all, none] * 16 + arange<16>()[none, all];
  auto x = load(a + i);
  // CHECK: :[[@LINE+1]]:12: remark: this product runs on tensor cores: mma_m16n8k16_f16
  auto p = dot(x, x);
  auto y = load(b + i);
  // CHECK: :[[@LINE+1]]:16: remark: this product runs without tensor cores: its types have none
  store(c + i, dot(y, y) + p);
}
inline constexpr auto products_4 = instantiate(products, {.num_warps = 4});
