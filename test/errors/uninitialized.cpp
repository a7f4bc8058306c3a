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

__tile_global__ void own(int* out) {
  grid(1);
  // CHECK: :[[@LINE+3]]:11: error: a variable in its own initial value is not supported in a tile function; give it another name
  // CHECK-NEXT: int x = x + 1;
  // CHECK-NEXT: ^
  int x = x + 1;
  out[0] = x;
}
