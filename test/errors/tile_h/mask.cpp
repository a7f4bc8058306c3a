// Masks and values of loads and stores.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(const float* p, tile<int, 4> m) {
  return load(p + arange<4>(), m);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the mask must be bool
}
auto b(const float* p) {
  return load(p + arange<4>(), arange<8>() < 3);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}its shape must broadcast to the shape of the pointers
}
auto c(const float* p) {
  return load(p + arange<4>(), arange<4>() < 3, arange<8>());
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{broadcasts?}} to the shape of the pointers
}
void d(float* p) {
  store(p + arange<4>(), arange<8>());
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{broadcasts?}} to the shape of the pointers
}
void e(const float* p) {
  store(p + arange<4>(), 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the pointer is to const
}
auto f() {
  return load(arange<4>());
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}load takes pointers: base + offsets
}
void g(float* p) {
  store(p + arange<4>(), 1, 1);
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}the mask must be bool
}
