// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void before(float* out, int n) {
  if (n > 5) return;
  // CHECK: :[[@LINE+1]]:14: error: a load, store or return comes before the grid is set
  auto row = grid(n);
  out[row] = 1;
}
