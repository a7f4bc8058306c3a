// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Operators that do not fit are reported once, although Clang reports them for the name and the specialization; also for map.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void operators(float* out) {
  grid(1);
  auto x = load(out + arange<8>());
  // CHECK: :[[@LINE+1]]:5: error: 'operator+=' is unavailable: the result would have another element type or shape than the tile on the left
  x += arange<4>();
  // CHECK-NOT: error:
  // CHECK: :[[@LINE+1]]:14: error: 'operator<<' is unavailable: this operator takes integers
  auto y = x << 1;
  // CHECK-NOT: error:
  // CHECK: :[[@LINE+1]]:12: error: 'map<{{.*}}>' is unavailable: map(f, tiles...): f must take one element of each tile and return one
  auto z = map([&](float v) { return v + x; }, x);
  // CHECK-NOT: error:
  // CHECK: :[[@LINE+1]]:3: error: 'map<{{.*}}>' is unavailable: map(f, tiles...): f must take one element of each tile and return one
  map([&](float v) { out[0] = v; }, x);
  store(out + arange<8>(), x);
}
// CHECK-NOT: error:
// CHECK: 4 errors generated.
