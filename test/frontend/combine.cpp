// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// User-defined functions of reduce, associative_scan and map become regions on scalars.
#include <tile2cu/tile.h>
using namespace tl;

__tile__ float larger(float a, float b) { return a > b ? a : b; }

template <int M, int N>
__tile_global__ void combine(const float* in, float* out, const float16* half, float limit) {
  auto row = grid(1);
  auto at = arange<M>()[all, none] * N + arange<N>()[none, all];
  auto x = load(in + at);
  // A lambda that only adds is the sum.
  // CHECK: %total = reduce %x {axis = 1, kind = sum} : tile<16:M x f32>
  auto total = reduce<1>(x, [](float a, float b) { return a + b; });
  // CHECK: %top = reduce %x {axis = 0} : tile<8:N x f32> {
  // CHECK-NEXT: ^(%a: f32, %b: f32)
  // CHECK-NEXT: %[[GT:.*]] = gt %a, %b : bool
  // CHECK-NEXT: select %[[GT]], %a, %b : f32
  auto top = reduce<0>(x, larger);
  // Several tiles at once (online softmax).
  // CHECK: %m, %s = reduce %{{.*}}, %{{.*}} {axis = 0} : f32, f32 {
  // CHECK-NEXT: ^(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32)
  // CHECK: yield %{{.*}}, %{{.*}}
  auto [m, s] = reduce<0>(tuple(total, total), [](auto p, auto q) {
    auto [mp, sp] = p;
    auto [mq, sq] = q;
    float both = maximum(mp, mq);
    return tuple(both, sp * exp(mp - both) + sq * exp(mq - both));
  });
  // CHECK: %run = scan %x {axis = 1, reverse = true} : tile<16:M x 8:N x f32> {
  auto run = associative_scan<1>(x, [](float a, float b) { return a * 0.5f + b; }, reverse);
  // CHECK: %c = scan %total {axis = 0, kind = sum}
  auto c = cumsum(total);
  // map: captured scalars are used as they are, an element of a 16-bit tile is that type.
  // CHECK: map %x, %{{.*}} : tile<16:M x 8:N x f32> {
  // CHECK-NEXT: ^(%[[V:.*]]: f32, %[[H:.*]]: f16)
  // CHECK: %[[F:.*]] = cast %[[H]] : f32
  // CHECK: gt %[[V]], %limit
  // CHECK: if
  auto y = map(
      [&](float v, float h) {
        if (v > limit) return h * m;
        return v + s;
      },
      x, load(half + arange<N>()));
  store(out + at, x + y + run + total[all, none] + top + c[all, none]);
}
inline constexpr auto combine_16_8 = instantiate(combine<16, 8>);
