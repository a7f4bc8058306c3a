// Numbers that do not become a float16 or bfloat16 by themselves.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

void half(float16 x, bfloat16 y) {
  x += 1;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}write x = cast<T>(x + y)
  y *= 2.0f;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}write x = cast<T>(x * y)
  x = x * 2.0f;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}narrowing is explicit: write x = float16(y)
  y = x;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}narrowing is explicit: write x = bfloat16(y)
}
