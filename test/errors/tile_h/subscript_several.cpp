// Several subscripts that tiles do not have: g++ 12 finds the error when it instantiates the operator.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

auto a(tile<float, 4> x) {
  return x[all, all];
// CHECK-DAG: .cpp:[[@LINE-1]]:
// CHECK-DAG: error: {{.*}}inside its dimensions
}
