// Subscripts that tiles do not have.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(tile<float, 4, 2> x) {
  return x[slice<2, 5>];
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}inside its dimensions
}
auto b(tile<float, 4> x) {
  return x[0];
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}extract(x, i...) is an element
}
auto c(tile<float, 4> x) {
  return x[slice<2, 5>];
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}inside its dimensions
}
