// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Clang's own errors come through as they are, and nothing is lowered after them.
#include <tile2cu/tile.h>
__tile_global__ void kernel(float* out, int n) {
  auto row = tl::grid(n);
  // CHECK: clang.cpp:[[@LINE+3]]:14: error: use of undeclared identifier 'zebra'
  // CHECK-NEXT: out[row] = zebra;
  // CHECK-NEXT: ^
  out[row] = zebra;
  // CHECK-NOT: not supported
  goto end;
end:
  return;
}
// CHECK: 1 error generated.
