// RUN: %tile2cu %s --emit=ir --passes=none -o - 2>&1 | FileCheck %s
// RUN: not %tile2cu %s --emit=ir --passes=none -Werror -o - 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %tile2cu %s --emit=ir --passes=none -Wno-unused-kernel -o - 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: %tile2cu %s --emit=ir --passes=none -Werror --instantiate 'scale<64>' -o - 2>&1 | FileCheck %s --check-prefix=QUIET
#include <tile2cu/tile.h>

// CHECK: :[[@LINE+5]]:22: warning: kernel template 'scale' is not instantiated; write inline constexpr auto name = instantiate(scale<...>) after it, or use --instantiate [-Wunused-kernel]
// CHECK-NEXT: __tile_global__ void scale
// ERROR: error: {{.*}} [-Werror,-Wunused-kernel]
// QUIET-NOT: {{warning|error}}
template <int N>
__tile_global__ void scale(float* out) {
  auto row = tl::grid(N);
  out[row] *= 2;
}
