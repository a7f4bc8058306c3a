// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// The usual arithmetic conversions, element by element, and the language's additions to them.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void types(const uint8_t* bytes, const float16* halves, const bfloat16* brains,
                           float* out, double d, float f, long long wide, unsigned u) {
  auto row = grid(1);
  auto i = arange<16>();
  auto b = load(bytes + i);
  auto h = load(halves + i);
  auto w = load(brains + i);
  // uint8 + uint8 is int.
  // CHECK: %[[B0:.*]] = cast %b : tile<16xi32>
  // CHECK: %[[B1:.*]] = cast %b : tile<16xi32>
  // CHECK: %bb = add %[[B0]], %[[B1]] : tile<16xi32>
  auto bb = b + b;
  // Two equal 16-bit types are kept; float16 with bfloat16 is float.
  // CHECK: %hh = mul %h, %h : tile<16xf16>
  auto hh = h * h;
  // CHECK: %hw = add %{{.*}}, %{{.*}} : tile<16xf32>
  auto hw = h + w;
  // A double does not widen, a float does.
  // CHECK: %[[D:.*]] = cast %d : f16
  // CHECK: %[[DT:.*]] = splat %[[D]] : tile<16xf16>
  // CHECK: %hd = mul %h, %[[DT]] : tile<16xf16>
  auto hd = h * d;
  // CHECK: %[[H:.*]] = cast %h : tile<16xf32>
  // CHECK: %hf = mul %[[H]], %{{.*}} : tile<16xf32>
  auto hf = h * f;
  // CHECK: %id = mul %{{.*}}, %{{.*}} : tile<16xf32>
  auto id = i * 0.5;
  // Division and math of 16-bit types are done in float.
  // CHECK: %[[Q:.*]] = div %{{.*}}, %{{.*}} : tile<16xf32>
  // CHECK: %hq = cast %[[Q]] : tile<16xf16>
  auto hq = h / hh;
  // CHECK: %[[E:.*]] = exp %{{.*}} : tile<16xf32>
  // CHECK: %he = cast %[[E]] : tile<16xf16>
  auto he = exp(h);
  // CHECK: %[[F:.*]] = fast_tanh %{{.*}} : tile<16xf32>
  // CHECK: %ht = cast %[[F]] : tile<16xf16>
  auto ht = fast_tanh(h);
  // CHECK: %[[L:.*]] = hypot %{{.*}}, %{{.*}} : tile<16xf32>
  // CHECK: %hl = cast %[[L]] : tile<16xf16>
  auto hl = hypot(h, h);
  // CHECK: %cmp = lt %{{.*}}, %{{.*}} : tile<16xbool>
  auto cmp = i < wide;
  // CHECK: %[[I:.*]] = cast %i : tile<16xu32>
  // CHECK: %iu = add %[[I]], %{{.*}} : tile<16xu32>
  auto iu = i + u;
  // CHECK: %sh = shr %i, %{{.*}} : tile<16xi32>
  auto sh = i >> 3;
  // CHECK: %rtz = cast %hf {rounding = rtz} : tile<16xf16>
  auto rtz = cast<float16>(hf, rounding::rz);
  // CHECK: %bits = bitcast %hf : tile<16xi32>
  auto bits = bitcast<int>(hf);
  // CHECK: %where = select %cmp, %hf, %{{.*}} : tile<16xf32>
  auto where = tl::where(cmp, hf, 0);
  float16 s = float16(f);
  // CHECK: %back = cast %s : f32
  float back = s;
  store(out + i, bb + hw + hd + id + hq + he + ht + iu + sh + cast<float>(rtz) + bits + where + back);
}
