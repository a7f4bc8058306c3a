// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void order(const float* in, const std::uint8_t* at, float* out) {
  auto row = grid(1);
  auto i = arange<8>();
  auto x = load(in + i[all, none] * 4 + arange<4>()[none, all]);
  auto index = load(at + i);
  // CHECK: %[[I:.*]] = expand_dims %index {axis = 1} : tile<8x1xu8>
  // CHECK: %one = gather %x, %[[I]] {axis = 1} : tile<8x1xf32>
  auto one = gather(x, index[all, none]);
  // CHECK: %[[Z:.*]] = splat %{{.*}} : tile<2x4xi32>
  // CHECK: %rows = gather %x, %[[Z]] {axis = 0} : tile<2x4xf32>
  auto rows = gather<0>(x, zeros<int, 2, 4>());
  // CHECK: %back = scatter %x, %{{.*}}, %rows {axis = 0} : tile<8x4xf32>
  auto back = scatter<-2>(x, iota<0, 2, 4>(), rows);
  // CHECK: %up, %{{.*}} = sort %x {axis = 1} : tile<8x4xf32>, tile<8x4xi32>
  auto up = sort(x);
  // CHECK: %{{.*}}, %where = sort %x {axis = 0, descending = true} : tile<8x4xf32>, tile<8x4xi32>
  auto where = argsort<0>(x, descending);
  // CHECK: %[[V:.*]], %[[I:.*]] = sort %x {axis = 0, descending = true}
  // CHECK: %most = slice %[[V]] {offsets = [0, 0]} : tile<3x4xf32>
  // CHECK: %places = slice %[[I]] {offsets = [0, 0]} : tile<3x4xi32>
  auto [most, places] = topk<3, 0>(x);
  // CHECK: %[[E:.*]] = extract %x, %{{.*}}, %{{.*}} : tile<1x1xf32>
  // CHECK: reshape %[[E]] : tile<1xf32>
  // CHECK: %here = reduce %{{.*}} {axis = 0} : f32 {
  auto here = extract(x, row, 3);
  // CHECK: %part = extract %x, %{{.*}}, %{{.*}} : tile<2x4xf32>
  auto part = extract<2, 4>(x, row, 0);
  // CHECK: %put = insert %x, %part, %{{.*}}, %{{.*}} : tile<8x4xf32>
  auto put = insert(x, part, row + 1, 0);
  // CHECK: %[[H:.*]] = splat %here : tile<1x1xf32>
  // CHECK: %set = insert %put, %[[H]], %{{.*}}, %{{.*}} : tile<8x4xf32>
  auto set = insert(put, here, row, 2);
  auto first = sum<0>(most) + sum<0>(places);
  store(out + i, sum<1>(back) + sum<1>(one) + sum<1>(up) + sum<1>(where) + sum(first) + sum<1>(set));
}
