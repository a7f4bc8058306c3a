// Indices that do not fit, and sorts that are not possible.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(tile<float, 4, 2> x, tile<int, 4> index) {
  return gather(x, index);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}gather<axis>(x, index): index must be a tile of integers with the shape of x
}
auto b(tile<float, 4, 2> x, tile<int, 4, 3> index) {
  return gather<0>(x, index);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}gather<axis>(x, index): index must be
}
auto c(tile<float, 4> x, tile<float, 4> index) {
  return gather(x, index);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}gather<axis>(x, index): index must be
}
auto d(tile<float, 4> x, tile<int, 4> index) {
  return gather<1>(x, index);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}gather<axis>(x, index): index must be
}
auto e(tile<float, 4> x, tile<bool, 4> index) {
  return gather(x, index);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}gather<axis>(x, index): index must be
}
auto f(tile<float, 4> x, tile<int, 2> index, tile<int, 2> values) {
  return scatter(x, index, values);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}scatter<axis>(x, index, values, mask): index must be a tile of integers
}
auto g(tile<float, 4> x, tile<int, 2> index, tile<float, 3> values) {
  return scatter(x, index, values);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}scatter<axis>(x, index, values, mask): index must be a tile of integers
}
auto h(tile<float, 4> x) {
  return sort<1>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the axis is out of range
}
auto i(tile<float, 4, 2> x) {
  return argsort<-3>(x, descending);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the axis is out of range
}
auto j(tile<float, 4, 2> x) {
  return topk<3>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}topk<k, axis>(x): k must be between 1 and the size of x along the axis
}
auto k(tile<float, 4, 2> x) {
  return topk<1, 2>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}topk<k, axis>(x): k must be
}
