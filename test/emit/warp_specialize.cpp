// A loop without a producer warp (warp_specialize = false): its loads are prefetched as on other GPUs, in parallel with wgmma.
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

// WHY: product<false>: TMA does not load 'x': its loop says warp_specialize = false
// WHY: product<true>: TMA loads 'x'

// CHECK-LABEL: {{^}}product_kernel(
// CHECK: tile2cu::copy_to_shared_if<VEC>(
// CHECK: tile2cu::wgmma_m64n64k16_f16
// CHECK-LABEL: void producer(
// CHECK: tile2cu::tma_load(

template <bool COPIERS>
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b,
                             float* __restrict__ c, int K) {
  grid(1);
  auto i = arange<64>();
  auto acc = zeros<float, 64, 64>();
  for (int k : range(0, K, 64, {.num_stages = 3, .warp_specialize = COPIERS})) {
    auto x = load(a + i[all, none] * K + (k + i)[none, all], (k + i)[none, all] < K);
    auto y = load(b + (k + i)[all, none] * 64 + i[none, all], (k + i)[all, none] < K);
    acc = dot(x, y, acc);
  }
  store(c + i[all, none] * 64 + i[none, all], acc);
}
inline constexpr auto without = instantiate(product<false>);
inline constexpr auto with = instantiate(product<true>);
