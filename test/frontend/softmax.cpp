// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

template <int BLOCK>
__tile_global__ void softmax(const float* __restrict__ in, float* __restrict__ out, int n_rows,
                             int n_cols, int stride) {
  auto row = grid(n_rows);
  auto cols = arange<BLOCK>();
  auto mask = cols < n_cols;
  auto x = load(in + row * stride + cols, mask, -inf);
  auto numerator = exp(x - max(x));
  store(out + row * stride + cols, numerator / sum(numerator), mask);
}
inline constexpr auto softmax_256 = instantiate(softmax<256>);

// CHECK: %row = grid
// CHECK: %[[INF:.*]] = constant -inf : f32
// CHECK: %[[OTHER:.*]] = splat %[[INF]] : tile<256:BLOCK x f32>
// CHECK: %x = load %{{.*}}, %mask, %[[OTHER]] : tile<256:BLOCK x f32>
// CHECK: %[[MAX:.*]] = reduce %x {axis = 0, kind = max} : f32
// CHECK: %numerator = exp
// CHECK: %[[SUM:.*]] = reduce %numerator {axis = 0, kind = sum} : f32
// CHECK: %[[ALL:.*]] = splat %[[SUM]] : tile<256:BLOCK x f32>
// CHECK: div %numerator, %[[ALL]]
