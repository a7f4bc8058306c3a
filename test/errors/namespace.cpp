// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
// After a using-directive that failed, the names of the language are not reported as missing.
#include <tile2cu/tile.h>
// CHECK: :[[@LINE+1]]:17: error: expected namespace name; the operations are in namespace tl
using namespace tile2cu;

__tile_global__ void kernel(float* out, int n) {
  auto i = grid(cdiv(n, 64)) * 64 + arange<64>();
  store(out + i, 1.0f);
}
