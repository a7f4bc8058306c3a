// RUN: %tile2cu %s -o - | FileCheck %s
// A program id may be 0: as a distance of elements, it does not tell their addresses apart.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK-LABEL: {{^}}strided_kernel(
// CHECK: load_element_if
// CHECK: __syncwarp();  // the loads above have completed before the stores below
// CHECK: store_element_if
__tile_global__ void strided(int* io) {
  auto pid = program_id(0);
  auto p = io + pid * 1024 + pid * arange<32>();
  store(p, load(p) + 1);
}
inline constexpr auto strided_i32 = instantiate(strided, {.num_warps = 1});
