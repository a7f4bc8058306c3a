// Shapes that do not broadcast.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto sum(tile<float, 4> a, tile<float, 8> b) {
  return a + b;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}do not broadcast
}
auto less(tile<float, 4, 2> a, tile<float, 4> b) {
  return a < b;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}do not broadcast
}
auto larger(tile<float, 4> a, tile<float, 8> b) {
  return maximum(a, b);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}do not broadcast
}
