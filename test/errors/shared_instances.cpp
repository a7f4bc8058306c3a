// RUN: not %tile2cu --arch=sm_80 %s -o %t.cu 2>&1 | FileCheck %s
// The instance that an error is about, if there are several.
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK_K>
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b,
                             float* __restrict__ c, int K) {
  grid(1);
  auto rows = arange<128>()[all, none];
  auto cols = arange<256>()[none, all];
  auto ks = arange<BLOCK_K>();
  auto acc = zeros<float, 128, 256>();
  for (int k = 0; k < K; k += BLOCK_K) {
    auto x = load(a + rows * K + k + ks[none, all], k + ks[none, all] < K);
    auto y = load(b + (k + ks[all, none]) * 256 + cols, k + ks[all, none] < K);
    acc = dot(x, y, acc);
  }
  store(c + rows * 256 + cols, acc);
}

// CHECK: error: product<64> (5 stages): this kernel needs {{.*}} bytes of shared memory
// CHECK: error: product<128>: this kernel needs
inline constexpr auto deep = instantiate(product<64>, {.num_warps = 8, .num_stages = 5});
inline constexpr auto flat = instantiate(product<64>, {.num_warps = 8, .num_stages = 3});
inline constexpr auto long_ = instantiate(product<128>, {.num_warps = 8, .num_stages = 3});
