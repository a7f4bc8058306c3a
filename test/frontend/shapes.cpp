// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void shapes(const float* in, float* out) {
  auto row = grid(1);
  auto i = arange<8>();
  // CHECK: %[[R:.*]] = expand_dims %i {axis = 1} : tile<8x1xi32>
  // CHECK: %[[C:.*]] = expand_dims %{{.*}} {axis = 0} : tile<1x4xi32>
  // CHECK: %[[RB:.*]] = broadcast %{{.*}} : tile<8x4xi32>
  // CHECK: %[[CB:.*]] = broadcast %[[C]] : tile<8x4xi32>
  // CHECK: %at = add %[[RB]], %[[CB]] : tile<8x4xi32>
  auto at = i[all, none] * 4 + arange<4>()[none, all];
  auto x = load(in + at);
  // CHECK: %part = slice %x {offsets = [2, 0]} : tile<4x4xf32>
  auto part = x[slice<2, 6>, all];
  // CHECK: %t = permute %x {order = [1, 0]} : tile<4x8xf32>
  auto t = trans(x);
  // CHECK: %r = reshape %t : tile<2x16xf32>
  auto r = reshape<2, 16>(t);
  // CHECK: %flat = reshape %r : tile<32xf32>
  auto flat = ravel(r);
  // CHECK: %[[J:.*]] = join %flat, %flat : tile<32x2xf32>
  // CHECK: %both = reshape %[[J]] : tile<64xf32>
  auto both = interleave(flat, flat);
  // CHECK: %lo, %hi = split %{{.*}} : tile<32xf32>, tile<32xf32>
  auto [lo, hi] = split(reshape<32, 2>(both));
  // CHECK: %pair = cat %lo, %hi {axis = 0} : tile<64xf32>
  auto pair = cat(lo, hi);
  // CHECK: %back = flip %pair {axis = 0}
  auto back = flip(pair);
  // CHECK: %wide = broadcast %{{.*}} : tile<4x64xf32>
  auto wide = broadcast_to<4, 64>(back);
  // CHECK: %[[K:.*]] = arange {end = 3, start = 0}
  // CHECK: %[[K0:.*]] = expand_dims %[[K]] {axis = 0} : tile<1x3xi32>
  // CHECK: %[[K1:.*]] = expand_dims %[[K0]] {axis = 2} : tile<1x3x1xi32>
  // CHECK: broadcast %[[K1]] : tile<2x3x5xi32>
  auto index = iota<1, 2, 3, 5>();
  // CHECK: %kept = expand_dims %{{.*}} {axis = 1} : tile<8x1xf32>
  auto kept = sum<1>(x, keep_dims);
  // CHECK: %[[L:.*]] = reduce %x {axis = 1, kind = max}
  // CHECK: %most = reduce %[[L]] {axis = 0, kind = max} : f32
  auto most = max(x);
  // CHECK: %{{.*}}, %where = reduce %x, %{{.*}} {axis = 1, kind = argmax} : tile<8xf32>, tile<8xi32>
  auto where = argmax<1>(x);
  // CHECK: reduce %{{.*}} {axis = 0, kind = or} : bool
  bool some = any(where);
  store(out + at, x + kept + sum(wide) + sum(index) + most + sum(part) + some);
}
