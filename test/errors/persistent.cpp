// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void leaves(float* out, int n) {
  auto row = grid(n);
  for (int k = 0; k < n; ++k) {
    // CHECK: :[[@LINE+1]]:23: error: a persistent kernel returns out of a loop; leave the loop with break and put the code after it under a condition
    if (out[row] > k) return;
    out[row] = k;
  }
}
inline constexpr auto leaves_persistent = instantiate(leaves, {.persistent = true});
