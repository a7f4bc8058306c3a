// 8-bit floats have no arithmetic.
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
// RUN: not %cxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
#include <tile2cu/tile.h>
using namespace tl;

auto a(tile<float8_e4m3, 4> x) {
  return x + x;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}8-bit floats need cast<float>(x)
}
auto b(tile<float8_e5m2, 4> x) {
  return x * 2.0f;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}8-bit floats need cast<float>(x)
}
auto c(tile<float8_e5m2, 4> x) {
  return exp(x);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}exp takes floats: cast<float>(x) first
}
float d(float8_e4m3 x) {
  return x;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}float8_e4m3
}
auto e(tile<float8_e4m3, 4> x) {
  tile<float, 4> y = x;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}convert with cast<T>(x)
  return y;
}
void f(float8_e4m3* p) {
  atomic_add(p + arange<4>(), 1.0f);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}atomic_add takes pointers to
}
