// RUN: %tile2cu %s --helpers=include -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

// 1000 columns in 1024: padding is not read, and never wins a reduction.
__tile_global__ void first_of_best(const float* __restrict__ in, int* __restrict__ out) {
  grid(1);
  store(out, argmax(load(in + arange<1000>())));
}
// CHECK-LABEL: first_of_best_kernel(const float*
// CHECK: load_if<VEC{{.*}}>({{.*}} < 1000, in +
// CHECK: const bool inside = {{.*}} < 1000;
// CHECK: inside ? {{.*}} : NAN;
// CHECK: inside ? {{.*}} : 2147483647
// CHECK: if (tid == 0) *out = {{.*}}.index;

__tile_global__ void least(const int* __restrict__ in, int* __restrict__ out) {
  grid(1);
  store(out, min(load(in + arange<1000>())));
}
// CHECK-LABEL: least_kernel(const int*
// CHECK: {{inside|< 1000}} ? {{.*}} : 2147483647
// CHECK: if (tid == 0) *out =
