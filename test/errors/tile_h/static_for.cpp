// static_for with more iterations than a fold expression takes.
// RUN: not %cxx -fsyntax-only -std=c++23 -D__TILE2CU__ -I%include %s 2>&1 | FileCheck %s
// RUN: not %gxx -fsyntax-only -std=c++23 -I%include %s 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void many(float* out) {
  grid(1);
  float x = 0;
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}static_for is limited to 256 iterations; use static_range, or range(...), which is not unrolled
  static_for<2000000000>([&](auto i) { x += 1.0f; });
  store(out, x);
}
inline constexpr auto many1 = instantiate(many);
