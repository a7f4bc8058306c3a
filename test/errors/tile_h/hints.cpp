// Hints with another number of values than the tile has dimensions.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(tile<int, 4> x) {
  return multiple_of<4, 8>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}one positive N for each dimension
}
auto b(tile<int, 4, 2, 2> x) {
  return max_contiguous<4, 8>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}one positive N for each dimension
}
auto c(int x) {
  return multiple_of<0>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}one positive N for each dimension
}
auto d(tile<int, 4, 2> x) { return max_contiguous<1, 2>(multiple_of<4>(x)); }
