// RUN: tile2cu --arch=sm_90a -Rtile -I %runtime %s -o %t.cu 2>&1 | FileCheck %s
// TMA copies start at multiples of 16 bytes, and write chunks of 16 bytes.
#include <tile2cu/tile.h>
using namespace tl;

template <int STEP>
__tile_global__ void product(const float16* __restrict__ a, const float16* __restrict__ b,
                             float16* __restrict__ c, int M, int N, int K, int bound) {
  auto [pid_n, pid_m] = grid(cdiv(N, STEP), cdiv(M, 128));
  auto rows = (pid_m * 128 + arange<128>())[all, none];
  auto cols = (pid_n * STEP + arange<128>())[none, all];
  auto ks = arange<64>();
  auto acc = zeros<float, 128, 128>();
  for (int k = 0; k < K; k += 64) {
    auto x = load(a + rows * K + (k + ks[none, all]), (rows < M) & (ks[none, all] < K - k));
    // CHECK: [[@LINE+1]]:14: remark: product<128>: TMA loads 'y' into shared memory
    auto y = load(b + (k + ks[all, none]) * N + cols, (ks[all, none] < K - k) & (cols < N));
    // CHECK: [[@LINE-1]]:14: remark: product<100>: TMA does not load 'y': its rows may not begin at multiples of 16 bytes
    acc = dot(x, y, acc);
  }
  // CHECK: [[@LINE+1]]:3: remark: product<128>: TMA does not store this tile: the rows of its array may not end at multiples of 16 bytes
  store(c + rows * N + cols, cast<float16>(acc), (rows < M) & (cols < bound - 3));
}

inline constexpr auto product_128 = instantiate(product<128>, {.num_warps = 4, .num_stages = 2});
inline constexpr auto product_100 = instantiate(product<100>, {.num_warps = 4, .num_stages = 2});
