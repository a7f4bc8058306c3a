// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// RUN: %tile2cu %s -o - | FileCheck %s --check-prefix=TEXT
// TEXT: tile2cu::store_element_if({{.*}}, p + (lane + stride), {{.*}})
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void hints(float* out, int stride, int n) {
  assume(n > 0);
  auto row = grid(n);
  // CHECK: %p = addptr %out
  // CHECK: %p.1 = hint %p {alignment = 16} : ptr<f32>
  float* p = out + row * stride;
  p = assume_aligned<16>(p);
  // CHECK: %i = hint %{{.*}} {divisibility = 8} : tile<32xi32>
  auto i = multiple_of<8>(arange<32>() + stride);
  // CHECK: %j = hint %i {contiguity = 4} : tile<32xi32>
  auto j = max_contiguous<4>(i);
  // CHECK: device_assert %{{.*}}, %{{.*}} {message = negative}
  device_assert(j >= 0, "negative", j < n);
  // CHECK: debug_barrier
  debug_barrier();
  // CHECK: random_bits %{{.*}}, %j : tile<32xu32>
  store(p + j, rand(7, j));
}
