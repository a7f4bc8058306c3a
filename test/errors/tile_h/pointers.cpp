// Offsets.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(float* p, tile<float, 4> x) {
  return p + x;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}an offset must be an integer
}
auto b(float* p) {
  return (p + arange<4>()) + arange<3>();
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}broadcasts with the shape of the pointers
}
