// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void kernel(float* out, int n) {
  auto row = grid(n);
  float x;
  if (n > 3) x = 1;
  // CHECK: :[[@LINE+3]]:14: error: 'x' may be read before it has a value (a first assignment inside a loop does not count); initialize it where it is declared
  // CHECK-NEXT: out[row] = x;
  // CHECK-NEXT: ^
  out[row] = x;
}
