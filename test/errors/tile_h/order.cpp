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
auto l(tile<float, 4, 2> x) {
  return extract(x, 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}extract(x, i...) and extract<sizes...>(x, i...): x is a tile of numbers, i... an integer for each of its dimensions
}
auto m(tile<float, 4, 2> x) {
  return extract<2, 3>(x, 0, 0);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}extract(x, i...) and extract<sizes...>(x, i...): x
}
auto n(tile<float, 4> x) {
  return extract(x, 1.5f);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}extract(x, i...) and extract<sizes...>(x, i...): x
}
auto o(tile<float, 4, 2> x, tile<float, 4> part) {
  return insert(x, part, 0, 0);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}insert(x, value, i...) and insert(x, part, i...): a part has the element type of x
}
auto p(tile<float, 4> x, tile<int, 2> part) {
  return insert(x, part, 0);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}insert(x, value, i...) and insert(x, part, i...): a part
}
auto q(tile<float, 4, 2> x) {
  return insert(x, 0, 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}insert(x, value, i...) and insert(x, part, i...): a part
}
auto r(tile<float*, 4> x) {
  return extract(x, 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}extract(x, i...) and extract<sizes...>(x, i...): x is a tile of numbers
}
