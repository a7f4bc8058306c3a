// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void bias(const float* in, float* out, int rows) {
  auto b = load(in + arange<64>());
  // CHECK: :[[@LINE+1]]:19: error: a load, store or return comes before the grid is set; move it after grid(...) or into the loop, or call grid(...) first
  for (auto row : persistent_range(rows)) store(out + row * 64 + arange<64>(), b);
}

__tile_global__ void left(float* out, int n, int s) {
  for (auto k : static_range<2>())
    if (n > 5 + k) return;
  // CHECK: :[[@LINE+1]]:3: error: require(...) is under a condition, in a loop or after a return; move it to the start of the kernel
  require(s > 0);
}
