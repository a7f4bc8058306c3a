// The language's headers in a folder of the user: their definitions still count as the language.
// RUN: rm -rf %t && mkdir -p %t && cp -r %root/runtime/include %t
// RUN: %tile2cu -I %t/include %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: tile2cu::store_if
__tile_global__ void steps(float* out) {
  grid(1);
  static_for<2>([&](auto i) { store(out + arange<8 * i + 8>(), 1.0f + i); });
}
inline constexpr auto steps_1 = instantiate(steps, {.num_warps = 1});
