// The tiles that a loop carries, and its accumulators, exceed the registers of a thread.
// RUN: %tile2cu --arch=sm_90a %s -o %t.cu 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %tile2cu --arch=sm_90a -Wno-registers %s -o %t.cu 2>&1 | FileCheck %s --allow-empty --check-prefix=NONE
// RUN: not %tile2cu --arch=sm_90a -Werror=registers %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=ERROR
// NONE-NOT: warning:
// ERROR: error: products<192>: the tiles that this loop carries {{.*}} [-Werror,-Wregisters]
#include <tile2cu/tile.h>
using namespace tl;

template <int COLUMNS>
__tile_global__ void products(const float16* __restrict__ q, const float16* __restrict__ k,
                              float* __restrict__ out, int length) {
  auto program = grid(cdiv(length, 192));
  auto rows = (program * 192 + arange<192>())[all, none];
  auto dims = arange<64>()[none, all];
  auto q_tile = load(q + rows * 64 + dims, rows < length);
  auto a = zeros<float, 192, 64>();
  auto b = zeros<float, 192, 64>();
  auto c = zeros<float, 192, 64>();
  // CHECK: :[[@LINE+1]]:3: warning: products<192>: the tiles that this loop carries and its accumulators need 192 registers per thread, but a thread has 160: some spill to local memory, which is slow; use smaller blocks, fewer blocks at a time (min_blocks), or fewer warps [-Wregisters]
  for (int start = 0; start < length; start += COLUMNS) {
    auto keys = (start + arange<COLUMNS>())[all, none];
    auto k_tile = load(k + keys * 64 + dims, keys < length);
    auto s = cast<float16>(dot(q_tile, trans(k_tile)));
    a = dot(s, k_tile, a);
    b = dot(s * s, k_tile, b);
    c = dot(s + s, k_tile, c);
  }
  store(out + rows * 64 + dims, a + b + c, rows < length);
}
inline constexpr auto narrow = instantiate(products<64>, {.num_warps = 12});
inline constexpr auto wide = instantiate(products<192>, {.num_warps = 12});
