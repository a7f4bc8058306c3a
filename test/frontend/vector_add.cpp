// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// A small kernel as a whole: grid, names, explicit casts and splats.
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK>
__tile_global__ void vector_add(const float* __restrict__ a, const float* __restrict__ b,
                                float* __restrict__ c, int n) {
  auto pid = grid(cdiv(n, BLOCK));
  auto offs = pid * BLOCK + arange<BLOCK>();
  auto mask = offs < n;
  store(c + offs, load(a + offs, mask) + load(b + offs, mask), mask);
}
inline constexpr auto vector_add_1024 = instantiate(vector_add<1024>, {.num_warps = 8});

// CHECK: kernel @vector_add<BLOCK = 1024>(%a: ptr<const f32> restrict{{.*}}, %c: ptr<f32> restrict{{.*}}, %n: i32{{.*}}) warps 8 {
// CHECK: %BLOCK = constant 1024 {formula = BLOCK} : i32
// CHECK: %[[Q:.*]] = div %n, %BLOCK : i32
// CHECK: %pid = grid %{{.*}} : i64
// CHECK: %[[R:.*]] = arange {end = 1024, start = 0} : tile<1024:BLOCK x i32>
// CHECK: %offs = add %{{.*}}, %{{.*}} : tile<1024:BLOCK x i64>
// CHECK: %mask = lt %offs, %{{.*}} : tile<1024:BLOCK x bool>
// CHECK: %[[P:.*]] = addptr %{{.*}}, %offs : tile<1024:BLOCK x ptr<const f32>>
// CHECK: load %[[P]], %mask : tile<1024:BLOCK x f32>
// CHECK: store %{{.*}}, %{{.*}}, %mask
// CHECK: launcher @vector_add_1024 = select @vector_add#0
