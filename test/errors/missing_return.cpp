// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
__tile__ float maybe(float x) {
  if (x > 0) return x;
}
__tile_global__ void kernel(float* out, float f) {
  auto row = tl::grid(1);
  // CHECK: :[[@LINE+1]]:14: error: 'maybe' does not return a value on every path; end it with a return
  out[row] = maybe(f);
}
