// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
// Descriptors where they are not allowed. The numbers of sizes and offsets: tile_h/descriptor.cpp.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: :[[@LINE+1]]:57: error: parameter 'd' of a kernel is a struct of a library; pass its members one by one
__tile_global__ void passed(tensor_descriptor<float, 8> d) { grid(1); }

__tile_global__ void in_map(const float* a, float* out, int n) {
  grid(1);
  auto A = make_tensor_descriptor<8>(a, {n}, {1});
  // CHECK: :[[@LINE+1]]:48: error: a function that runs once for each element cannot access memory; load the tile first and pass it in
  auto x = map([&](float v) { return v + max(A.load({0})); }, zeros<float, 8>());
  store(out + arange<8>(), x);
}
