// Invalid tile types.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

tile<float, 0> a;
// CHECK-DAG: error: static assertion failed{{.*}}every dimension of a tile must be at least 1
// CHECK-DAG: .cpp:[[@LINE-2]]:
