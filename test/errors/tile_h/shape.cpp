// Shape operations that do not fit.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(tile<float, 4> x) {
  return reshape<3>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}reshape must keep the number of elements
}
auto b(tile<float, 4, 2> x, tile<float, 4, 3> y) {
  return cat(x, y);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}equal shapes except along the axis
}
auto c(tile<float, 4> x, tile<int, 4> y) {
  return cat(x, y);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}one element type (cast<T> first)
}
auto d(tile<float, 4, 2> x) {
  return permute<0, 0>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}must name every axis of the tile once
}
auto e(tile<float, 4> x) {
  return broadcast_to<8>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}only dimensions of 1 stretch
}
auto f(tile<float, 4> x) {
  return split(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}whose last dimension is 2
}
auto g(tile<float, 4, 2, 3> x) {
  return trans(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}use permute<...>(x)
}
auto h() {
  return arange<0>();
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}needs N > 0
}
