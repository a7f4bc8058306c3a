// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
struct Pair {
  float a, b;
};
__tile__ float& pick(Pair& pair, bool first) { return first ? pair.a : pair.b; }
__tile_global__ void kernel(float* out, int n) {
  auto row = tl::grid(n);
  Pair pair{1, 2};
  // CHECK: :[[@LINE+1]]:21: error: this assignment changes a temporary copy; assign to a variable
  pick(pair, n > 3) = 4;
  out[row] = pair.a;
}
