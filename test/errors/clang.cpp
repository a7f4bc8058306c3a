// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Clang's own errors come through as they are, and nothing is lowered after them.
#include <tile2cu/tile.h>
__tile_global__ void kernel(float* out, int n) {
  auto row = tl::grid(n);
  // CHECK: clang.cpp:[[@LINE+3]]:14: error: use of undeclared identifier 'zebra'
  // CHECK-NEXT: out[row] = zebra;
  // CHECK-NEXT: ^
  out[row] = zebra;
  // What Clang says of float16 gets an end, instead of notes about its constructors.
  // CHECK: :[[@LINE+3]]:15: error: no viable conversion from 'double' to 'tl::float16'; narrowing is explicit: write float16(x)
  // CHECK-NEXT: half = 1.5;
  // CHECK-NOT: note:
  tl::float16 half = 1.5;
  // CHECK: error: no viable conversion from 'int' to 'tl::bfloat16'; narrowing is explicit: write bfloat16(x)
  tl::bfloat16 brain = n;
  // CHECK-NOT: not supported
  goto end;
end:
  return;
}
// CHECK: 3 errors generated.
