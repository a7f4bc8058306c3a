// RUN: %tile2cu %s -o - | FileCheck %s
// Two underscores at the beginning are reserved, so that `_` cannot be numbered.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void underscores(int* out, int n) {
  grid(1);
  int _ = n;
  for (int m = 0; m < n; ++m) {
    _ += m;
    out[m] = _;
  }
}
inline constexpr auto underscores_all = instantiate(underscores);

// CHECK: {{^}}underscores_kernel(
// CHECK: int value = n;
// CHECK: value += m;
// CHECK: out[m] = value;
