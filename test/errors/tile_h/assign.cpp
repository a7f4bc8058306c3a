// Assignment between element types or shapes.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

void a(tile<float, 4> x, tile<int, 4> y) {
  x = y;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}convert with cast<T>(x)
  tile<float, 4> z = y;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}convert with cast<T>(x)
  y += x;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}x = cast<T>(x + y) converts elements; a variable keeps its shape
  tile<std::uint8_t, 4> small;
  small += small;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}x = cast<T>(x + y) converts elements; a variable keeps its shape
  tile<float16, 4> half;
  half *= 2.0f;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}x = cast<T>(x * y) converts elements; a variable keeps its shape
  half = x;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}convert with cast<T>(x)
  x = 0;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}write full<T, D...>(value)
}
void b(tile<float, 1> x, tile<float, 4> y) {
  x += y;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}another element type or shape
}
