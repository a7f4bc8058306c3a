// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void described(const float* a, float* c, int n) {
  grid(1);
  // CHECK: :[[@LINE+1]]:12: error: make_tensor_descriptor is not translated yet; it runs on the CPU
  auto A = make_tensor_descriptor<16>(a, {n}, {1});
  c[0] = 1;
}
