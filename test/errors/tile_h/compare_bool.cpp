// A comparison of a bool tile: a chain, or missing parentheses.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto equal(tile<bool, 4> a, tile<bool, 4> b) {
  return a == b;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}write parentheses, as in (0 <= x) & (x < n)
}
auto chain(tile<int, 4> a) {
  return 0 < a < 5;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}write parentheses, as in (0 <= x) & (x < n)
}
