// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile__ auto perhaps(const float* a, int n) {
  if (n > 3) return make_tensor_descriptor<8>(a, {n}, {1});
}
__tile_global__ void unset(const float* a, float* out, int n) {
  grid(1);
  // CHECK: :[[@LINE+1]]:42: error: this descriptor may be read before it has a value (a first assignment inside a loop does not count); initialize it where it is declared
  store(out + arange<8>(), perhaps(a, n).load({0}));
}
