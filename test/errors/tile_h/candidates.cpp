// Candidates of one select or tune have one signature.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s --implicit-check-not='.h:{{[0-9:]+}} error'
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void a(float* p) { store(p + grid(1), 1); }
__tile_global__ void b(int* p) { store(p + grid(1), 1); }
constexpr auto c = select(candidate(a), candidate(b));
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}kernels of one signature
constexpr auto d = tune(key{}, candidate(a), candidate(b));
// CHECK: .cpp:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}kernels must have one signature
