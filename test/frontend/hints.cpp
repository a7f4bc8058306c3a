// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// RUN: %tile2cu %s -o - | FileCheck %s --check-prefix=TEXT
// TEXT: tile2cu::store_element_if(
// TEXT-NEXT: p + (lane + stride),
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
  // CHECK: device_print %{{.*}}, _, %{{.*}}, %{{.*}}, %{{.*}} {message = j}
  device_print("j", j);
  // CHECK: %[[BITS:.*]] = bitcast %{{.*}} : tile<32xu16>
  // CHECK: device_print %[[BITS]], {{.*}} {hex = true, message = "h (operand 0)"}
  // CHECK: device_print %{{.*}}, _, {{.*}} {message = "h (operand 1)"}
  device_print("h", cast<float16>(j), p + j, hex);
  // CHECK: debug_barrier
  debug_barrier();
  // CHECK: random_bits %{{.*}}, %j : tile<32xu32>
  store(p + j, rand(7, j));
}

// A hint about a parameter holds for the whole kernel only if every program comes to it.
// CHECK: kernel @hints_later(%out: ptr<f32> aligned 16 {{.*}}%in: ptr<f32> spelled {{.*}}%n: i32 spelled
__tile_global__ void hints_later(float* out, float* in, int n) {
  grid(1);
  out = assume_aligned<16>(out);
  auto i = arange<64>();
  if (n == 35) {
    store(out + i, load(in + i, i < n));
    return;
  }
  // CHECK: hint %in {alignment = 16}
  // CHECK: hint %n {divisibility = 16}
  // CHECK: hint %n {divisibility = 8}
  auto p = assume_aligned<16>(in);
  store(out + i, load(p + i, i < assume_divisible<16>(n) + multiple_of<8>(n)));
}
