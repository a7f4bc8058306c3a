// Operations on the wrong element types.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(tile<int, 4> x) {
  return exp(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}exp takes floats: cast<float>(x) first
}
auto b(tile<float, 4> x) {
  return x % 2;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}takes integers (cast<int>(x) first)
}
auto c(tile<float, 4> x) {
  return x << 2;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}takes integers (cast<int>(x) first)
}
auto d(tile<float, 4> x) {
  return bitcast<double>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}two element types of one size
}
auto e(tile<int, 4> c) {
  return where(c, 1, 2);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}c must be bool
}
auto g(tile<float16, 4> x) {
  return nextafter(x, x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}nextafter takes float or double (cast<float>(x) first)
}
auto h(tile<float16, 4> x) {
  return add_rz(x, x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}add_rz takes float or double (cast<float>(x) first)
}
auto i(tile<int, 4> x) {
  return fma_ru(x, x, x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}fma_ru takes float or double (cast<float>(x) first)
}
auto j(tile<float, 4> x) {
  return mulhi(x, 2);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}mulhi takes integers
}
auto f(tile<int, 4> x) {
  return pow(x, 2);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}pow takes floats
}
auto g(tile<float*, 4> x) {
  return cast<int>(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}cast<T> converts between bool, integers and floats
}
