// A tile cannot be used as a condition.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

int a(tile<bool, 4> m) {
  if (m) return 1;
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}reduce it with any(x) or all_of(x)
  return 0;
}
