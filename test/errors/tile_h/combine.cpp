// Combine functions and map.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(tile<float, 4> x) {
  return reduce<0>(x, [](float u) { return u; });
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}combine must take two elements of the tile and return one
}
auto b(tile<float, 4> x) {
  return associative_scan<0>(tuple(x, x), [](float u, float v) { return u + v; });
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}combine must take two tuples of scalars
}
auto c(tile<float, 4> x, tile<float, 8> y) {
  return reduce<0>(tuple(x, y), [](auto u, auto) { return u; });
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the tiles of a tuple reduction must have one shape
}
void d(tile<float, 4> x) {
  map([](float, float) { return 1; }, x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}f must take one element of each tile
}
