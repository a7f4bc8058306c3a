// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// A text that accesses memory, or returns nothing, is an operation with its operands in one shape.
#include <tile2cu/tile.h>
using namespace tl;

__tile__ void add(float* p, float v, bool inside) {
  if (inside) *p += v;
}

__tile_global__ void effects(const float* __restrict__ in, float* out, int* count, int n) {
  grid(1);
  auto i = arange<8>();
  // CHECK: %[[P:.*]] = addptr {{.*}} : tile<8xptr<f32>>
  // CHECK: %[[M:.*]] = lt {{.*}} : tile<8xbool>
  // CHECK: %[[V:.*]] = splat %{{.*}} : tile<8xf32>
  // CHECK: cuda_effect %[[P]], _, %[[V]], %[[M]] {callee = add, parameters = "p, v, inside", reference = "  if (inside) *p += v;", text = "  if (inside) atomicAdd(p, v);", writes = [0]}
  cuda("if (inside) atomicAdd(p, v);", add, writes(out + i), 2, i < n);
  // CHECK: %old = cuda_effect %count, _, %n {callee = "", parameters = "p, k", reference = "  int was = *p; *p += k; return was;", text = "  return atomicAdd(p, k);", writes = [0]} : i32
  auto old = cuda("return atomicAdd(p, k);", [](int* p, int k) { int was = *p; *p += k; return was; }, writes(count), n);
  // What it only reads through has no number.
  // CHECK: cuda_effect %{{.*}}, _, %{{.*}}, %{{.*}} {{{.*}}parameters = "p, q, k"{{.*}}, writes = [1]}
  cuda("*q = p[k];", [](const float* p, float* q, int k) { *q = p[k]; }, reads(in), writes(out + i), i + old);
  // CHECK: %read = cuda_effect %{{.*}} {callee = "", parameters = p, reference = "  return *p > 0;", text = "  return *p > 0;"} : tile<8xbool>
  auto read = cuda("return *p > 0;", [](const float* p) { return *p > 0; }, reads(in + i));
  // A statement without pointers. The operands are converted.
  // CHECK: %[[S:.*]] = cast %{{.*}} : tile<8xi16>
  // CHECK: cuda_effect %[[S]] {{{.*}}text = "  __nanosleep(t);"}
  cuda("__nanosleep(t);", [](int16_t t) {}, cast<int>(read));
}
