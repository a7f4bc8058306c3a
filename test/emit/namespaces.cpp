// A launcher finds its kernel in another namespace.
// RUN: %tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

namespace ops {
__tile_global__ void twice(float* x, int n) {
  auto i = grid(cdiv(n, 256)) * 256 + arange<256>();
  store(x + i, load(x + i, i < n) * 2, i < n);
}
inline constexpr auto inside = instantiate(twice, {.num_warps = 4});
}  // namespace ops

// CHECK: namespace ops {
// CHECK: return aligned ? launch_twice<
// CHECK: }  // namespace ops
// CHECK: return aligned ? ::ops::launch_twice<
// CHECK-NEXT: : ::ops::launch_twice<

inline constexpr auto outside = instantiate(ops::twice, {.num_warps = 4});
