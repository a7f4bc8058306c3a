// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// RUN: %tile2cu %s --emit=ir --passes=canonicalize -o - | FileCheck %s --check-prefix=SIGN
// Tensor descriptors are decomposed into masked loads and stores of pointers.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void described(const float* a, float16* b, int rows, int columns, int64_t stride,
                               int at) {
  auto i = grid(rows);
  auto A = make_tensor_descriptor<4, 8>(a, {rows, columns}, {stride, 1}, padding::nan);
  auto B = make_tensor_descriptor<4, 8>(b, {rows, columns}, {stride, 1});
  // For each dimension: its index, two comparisons, its part of the address; no product with 1.
  // CHECK: %[[I:.*]] = mul %i, %{{.*}} : i64
  // CHECK: %[[AT:.*]] = cast %at : i64
  // CHECK: %[[R:.*]] = expand_dims %{{.*}} {axis = 1} : tile<4x1xi64>
  // CHECK: lt %[[R]], %{{.*}} : tile<4x1xbool>
  // CHECK: ge %[[R]], %{{.*}} : tile<4x1xbool>
  // CHECK: %[[BY:.*]] = mul %[[R]], %{{.*}} : tile<4x1xi64>
  // CHECK: addptr %{{.*}}, %[[BY]] : tile<4x1xptr<const f32>>
  // CHECK: %[[C:.*]] = expand_dims %{{.*}} {axis = 0} : tile<1x8xi64>
  // CHECK: lt %[[C]], %{{.*}} : tile<1x8xbool>
  // CHECK: ge %[[C]], %{{.*}} : tile<1x8xbool>
  // CHECK: %[[MASK:.*]] = and {{.*}} : tile<4x8xbool>
  // CHECK: %[[WIDE:.*]] = broadcast %[[C]] : tile<4x8xi64>
  // CHECK: %[[P:.*]] = addptr %{{.*}}, %[[WIDE]] : tile<4x8xptr<const f32>>
  // CHECK: constant nan : f32
  // CHECK: %x = load %[[P]], %[[MASK]], %{{.*}} : tile<4x8xf32>
  auto x = A.load({i * 4, at});
  // CHECK: %[[V:.*]] = cast %{{.*}} : tile<4x8xf16>
  // CHECK: store %{{.*}}, %[[V]], %{{.*}}
  B.store({i * 4, 0}, x + A.load({i * 4, 0}));
}

// Program ids are not negative: of the three blocks only the columns from `at` on are compared with zero.
// SIGN: kernel @described
// SIGN: ge {{.*}} : tile<1x8xbool>
// SIGN-NOT: = ge

// Also if they are numbered in groups. A block without a name gets the descriptor's name.
__tile_global__ void walked(float* a, int n) {
  auto [i, j] = swizzle2d(grid(cdiv(n, 16) * cdiv(n, 32)), cdiv(n, 16), cdiv(n, 32), 4);
  auto A = make_tensor_descriptor<16, 32>(a, {n, n}, {n, 1});
  // CHECK: %i = hint %{{.*}}, %{{.*}} {non_negative = true} : i64
  // CHECK: %A_block = load
  for (int k = 0; k < n; k += 2) A.store({i * 16, j * 32 + k}, A.load({i * 16, j * 32 + k}) * 2);
}
// SIGN: kernel @walked
// SIGN-NOT: = ge
// SIGN: launcher @described
