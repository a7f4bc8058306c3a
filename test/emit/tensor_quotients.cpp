// Strides that are quotients of sizes: the launcher checks the dividend, by powers of two.
// RUN: %tile2cu --arch=sm_90a -Rtile %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s < %t.cu
#include <tile2cu/tile.h>
using namespace tl;

// WHY: product<2>: TMA loads 'y'
// WHY: product<3>: TMA does not load 'y': the rows of its array may not begin at multiples of 16 bytes

// CHECK: make_tensor_map(&b_map,
// CHECK: {int64_t(K) / 2},
// CHECK: {{K % 32 == 0}}

template <int PARTS>
__tile_global__ void product(const float16* __restrict__ a, const int8_t* __restrict__ b,
                             float* __restrict__ c, int K) {
  grid(1);
  auto i = arange<64>();
  auto acc = zeros<float, 64, 64>();
  for (int k = 0; k < K; k += 64) {
    auto x = load(a + i[all, none] * K + (k + i)[none, all], (k + i)[none, all] < K);
    auto y = load(b + i[all, none] * (K / PARTS) + (k + i)[none, all], (k + i)[none, all] < K);
    acc = dot(x, trans(cast<float16>(y)), acc);
  }
  store(c + i[all, none] * 64 + i[none, all], acc);
}
inline constexpr auto halves = instantiate(product<2>);
inline constexpr auto thirds = instantiate(product<3>);
