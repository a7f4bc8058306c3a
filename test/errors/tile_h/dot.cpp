// Operands and accumulators of dot.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(tile<float16, 4, 8> x, tile<bfloat16, 8, 2> y) {
  return dot(x, y);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}dot takes two tiles of float16{{.*}}cast<T>(x) first
}
auto b(tile<int, 4, 8> x, tile<int, 8, 2> y) {
  return dot(x, y);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}or of 8-bit integers: cast<T>(x) first
}
auto c(tile<bool, 4, 8> x, tile<float, 8, 2> y, tile<float, 4, 2> acc) {
  return dot(x, y, acc, precision::tf32);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}dot takes two tiles of float16
}
auto d(tile<float, 4, 8> x, tile<float, 4, 8> y) {
  return dot(x, y);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}dot takes M x K and K x N, or batches B x M x K and B x K x N
}
auto e(tile<float, 2, 4, 8> x, tile<float, 8, 4> y) {
  return dot(x, y, precision::ieee);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}dot takes M x K and K x N
}
auto f(tile<float, 2, 4, 8> x, tile<float, 3, 8, 4> y) {
  return dot(x, y, 0);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}dot takes M x K and K x N
}
auto g(tile<float, 8> x) {
  return dot(x, x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}dot takes M x K and K x N
}
auto h(tile<float16, 4, 8> x, tile<float16, 8, 2> y, tile<float, 4, 3> acc) {
  return dot(x, y, acc);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the accumulator of dot must have the shape of the result
}
auto i(tile<bfloat16, 4, 8> x, tile<bfloat16, 8, 2> y, tile<float16, 4, 2> acc) {
  return dot(x, y, acc);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}float16 or float for float16, and float for others
}
auto j(tile<std::int8_t, 4, 8> x, tile<std::int8_t, 8, 2> y, tile<float, 4, 2> acc) {
  return dot(x, y, acc, precision::ieee);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}int for 8-bit integers
}
auto k(tile<float, 4, 8> x, tile<float, 8, 2> y) {
  return dot(x, y, 0.0f);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the accumulator of dot must have
}
