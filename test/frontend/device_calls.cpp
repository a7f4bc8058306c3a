// RUN: %tile2cu %s --emit=ir --passes=none -o - -- -I%S | FileCheck %s
// A __device__ function of a header stays a call, which names it from the global namespace on, and
// the header as this file includes it. One that this file defines is inlined.
#include <tile2cu/tile.h>

#include "Inputs/geometry.h"
using namespace tl;

__host__ __device__ float cube(float x) { return x * x * x; }
template <class T>
static __device__ T twice(T x) {
  return x + x;
}

__tile_global__ void calls(const float* x, float* out, int n, double d) {
  auto v = load(x + arange<8>());
  // CHECK: %a = map %v, %{{.*}} : tile<8xf32> {
  // CHECK: = device_call %{{.*}}, %{{.*}} {callee = "geo::area", header = "\"Inputs/geometry.h\""} : f32
  auto a = map(geo::area, v, n);
  // CHECK: device_call %{{.*}} {callee = "geo::scaled<float, 2>", header
  auto b = map([](float e) { return e > 1 ? geo::scaled(e) : e; }, v);
  // CHECK: device_call %n {callee = "geo::Grid::next", {{.*}} : i32
  int c = geo::Grid::next(n);
  // CHECK: %[[S:.*]] = cast %n : i16
  // CHECK: device_call %[[S]] {callee = "geo::width", {{.*}} : i32
  c += geo::width(int16_t(n));
  // CHECK: %[[W:.*]] = cast %n : i64
  // CHECK: device_call %[[W]] {callee = "geo::width", {{.*}} : i32
  c += geo::width(int64_t(n));
  // CHECK: %[[U:.*]] = cast %n : u8
  // CHECK: device_call %[[U]], %{{.*}} {callee = "geo::is_even", {{.*}} : bool
  c += geo::is_even(n);
  // CHECK: %[[F:.*]] = device_call %d {callee = "geo::halved", {{.*}} : f64
  c += geo::halved(d);
  // A 16-bit float has CUDA's name where a name has to be written.
  // CHECK: %[[BF:.*]] = cast %d : bf16
  // CHECK: %[[F:.*]] = cast %n : f16
  // CHECK: device_call %[[BF]], %[[F]] {callee = "geo::rounded", {{.*}} : f16
  auto h = geo::rounded(bfloat16(d), float16(n));
  // CHECK: device_call %{{.*}} {callee = "geo::scaled<__half, 2>", {{.*}} : f16
  // CHECK: device_call %{{.*}} {callee = "geo::scaled<__nv_bfloat16, 3>", {{.*}} : bf16
  c += geo::scaled(h) + geo::scaled<bfloat16, 3>(bfloat16(h));
  // CHECK-NOT: device_call
  // CHECK: map %v
  auto e = map(cube, v) + map(twice<float>, v);
  store(out + arange<8>(), a + b + c + e);
}
