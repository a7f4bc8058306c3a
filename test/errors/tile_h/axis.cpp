// Axes out of range.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(tile<float, 4> x) {
  return sum<1>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the axis is out of range
}
auto as_number(tile<float, 4, 2> x) {
  return sum(x, 0);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the axis is a template argument: sum<axis>(x)
}
auto b(tile<float, 4, 2> x) {
  return cumsum<-3>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the axis is out of range
}
auto c(tile<float, 4, 2> x) {
  return reduce<2>(x, [](float u, float v) { return u + v; });
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the axis is out of range
}
auto d(tile<float, 4> x) {
  return expand_dims<2>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the axis is out of range
}
auto e(tile<float, 4> x) {
  return softmax<1>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the axis must be one of its axes
}
