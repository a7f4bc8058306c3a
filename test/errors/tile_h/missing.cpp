// Operations that users of other tile languages may expect.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

void spread(tile<float, 8> x, tile<int, 8> at, int* __restrict__ p) {
  device_print("x", x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}device_print is not supported yet; store the values
}
