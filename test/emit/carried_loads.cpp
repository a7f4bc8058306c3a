// A load into the variable of a carried tile waits until its old element has been read in the same loop.
// RUN: tile2cu %s -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: shifted_kernel(
// CHECK: const int new_x = index < 128 ? smem.x[{{.*}}] : 0;
// CHECK-NEXT: const int old = x[i] + 1;
// CHECK-NEXT: store_element_if(index < 128, out + index, old);
// CHECK-NEXT: x[i] = new_x;
__tile_global__ void shifted(const int* in, int* out, int n) {
  auto x = arange<128>();
  for (int k = 0; k < n; ++k) {
    auto old = x + 1;
    x = reshape<128>(load(in + (arange<2>()[all, none] * 64 + arange<64>()[none, all])));
    store(out + arange<128>(), old);
  }
}
inline constexpr auto shifted_1 = instantiate(shifted, {.num_warps = 3});
