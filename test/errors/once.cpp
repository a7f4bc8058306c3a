// An error is reported once: its consequences are not reported as errors of their own.
// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tile2cu/tile.h>
using namespace tl;

int counter;
__tile_global__ void assigned(float* x, int n) {
  auto p = grid(n);
  float a[4] = {1, 2, 3, 4};
  // CHECK: :[[@LINE+1]]:36: error: an array is indexed with a value that is not constant
  for (int i = 0; i < n; ++i) a[i] = 2;
  // CHECK: :[[@LINE+1]]:3: error: 'counter' is a global variable that may change
  counter = 3;
  x[p] = a[0];
}
