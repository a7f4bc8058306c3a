// Tests of pointers are branches on scalars; a constant null pointer decides them here.
// RUN: tile2cu --emit=ir --passes=none %s | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

template <class X, class I>
__tile__ auto scaled(X x, I i, const float* scale = nullptr) {
  if (scale) x *= load(scale + i);
  return x;
}

// CHECK: kernel @tested(%x: ptr<const f32>
__tile_global__ void tested(const float* x, const float* bias, float* y, int n) {
  // CHECK: %[[NULL:.*]] = constant 0 : ptr<const f32>
  // CHECK-NEXT: ne %bias, %[[NULL]] : bool
  // CHECK: require
  require(bias != nullptr || n < 100);
  auto i = grid(1) + arange<8>();
  // CHECK: %v = load
  auto v = load(x + i);
  // CHECK: %[[TEST:.*]] = ne %bias, %{{.*}} : bool
  // CHECK: if %[[TEST]] : tile<8xf32> {
  // CHECK: load
  // CHECK: }
  if (bias) v += load(bias + i);
  // CHECK: gt %n
  // CHECK: %[[NONE:.*]] = eq %bias, %{{.*}} : bool
  // CHECK: and {{.*}}%[[NONE]]
  if (n > 3 && nullptr == bias) v += 1;
  // CHECK: if
  // CHECK-NOT: if
  v = scaled(v, i);
  // CHECK: %p = select {{.*}} : ptr<const f32>
  const float* p = n > 2 ? bias : nullptr;
  // CHECK: %[[P:.*]] = ne %p, %{{.*}} : bool
  // CHECK: if %[[P]] : tile<8xf32> {
  if (p != nullptr) v = scaled(v, i, p);
  // CHECK: store
  store(y + i, v);
}
inline constexpr auto run = instantiate(tested);
