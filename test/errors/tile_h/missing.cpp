// Operations that users of other tile languages may expect.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

void spread(tile<float, 8> x) {
  dot_scaled(x, x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}dot_scaled is not supported yet; scale the operands
}
void shown(tile<float, 8> x) {
  device_print(x, x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}device_print takes a string literal, tiles or scalars, and hex at the end
}
