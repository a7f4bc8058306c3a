// Operations that users of other tile languages may expect.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

void spread(tile<float, 8> x, tile<int, 8> at, int* __restrict__ p) {
  atomic_max(p + at, at);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_max is not supported yet; atomic_add is
  while (atomic_cas(p, 1, 2) == 1) {}
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_cas is not supported yet
  device_print("x", x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}device_print is not supported yet; store the values
}
