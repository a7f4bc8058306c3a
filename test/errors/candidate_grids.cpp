// The launchers of kernels with and without grid(...) take different arguments.
// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK>
__tile_global__ void computed(float* x, int n) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  store(x + i, 1.0f, i < n);
}
template <int BLOCK>
__tile_global__ void given(float* x, int n) {
  auto i = program_id(0) * BLOCK + arange<BLOCK>();
  store(x + i, 1.0f, i < n);
}
// CHECK: :[[@LINE+1]]:81: error: a choice between kernels with and without grid(...) is not supported in a tile function; call grid(...) in all candidates or in none
inline constexpr auto mixed = tune(key{"n"}, candidate(computed<64>), candidate(given<64>));
inline constexpr auto alike = tune(key{"n"}, candidate(given<64>), candidate(given<128>));
