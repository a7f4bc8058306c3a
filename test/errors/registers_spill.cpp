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
  // CHECK: :[[@LINE+1]]:3: warning: products<192>: the tiles that this loop carries and its accumulators need 192 registers per thread, but a thread has 160: some spill to local memory, which is slow; use smaller blocks [-Wregisters]
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

// Four warps have as many registers a thread as eight, and twice as much of the tile.
template <int BLOCK>
__tile_global__ void square(const float16* __restrict__ q, const float16* __restrict__ k, float* __restrict__ out, int length) {
  grid(1);
  auto rows = arange<BLOCK>()[all, none];
  auto columns = arange<BLOCK>()[none, all];
  auto dims = arange<64>();
  auto a = zeros<float, BLOCK, BLOCK>();
  // CHECK: :[[@LINE+1]]:3: warning: the tiles that this loop carries and its accumulators need 512 registers per thread, but a thread has {{[0-9]+}}: some spill to local memory, which is slow; use smaller blocks, or more warps [-Wregisters]
  for (int d = 0; d < length; d += 64) {
    auto x = load(q + rows * length + d + dims[none, all], rows < length);
    auto y = load(k + columns * length + d + dims[all, none], columns < length);
    a = dot(x, y, a);
  }
  store(out + rows * BLOCK + columns, a);
}
inline constexpr auto square_256 = instantiate(square<256>, {.num_warps = 4});
