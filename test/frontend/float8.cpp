// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// RUN: %tile2cu %s --emit=ir --passes=canonicalize -o - | FileCheck %s --check-prefix=FOLD
// 8-bit floats: conversions are explicit; constants that the formats represent are folded.
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: kernel @narrow(%in: ptr<const f8e4m3> {{.*}}, %out: ptr<f8e5m2> {{.*}}, %s: f8e4m3
__tile_global__ void narrow(const float8_e4m3* in, float8_e5m2* out, float* wide, float8_e4m3 s) {
  grid(1);
  auto i = arange<32>();
  // CHECK: %[[Z:.*]] = constant 1.5 : f8e4m3
  // CHECK: %x = load %{{.*}}, %{{.*}}, %{{.*}} : tile<32xf8e4m3>
  auto x = load(in + i, i < 7, 1.5f);
  // CHECK: %y = cast %x : tile<32xf32>
  auto y = cast<float>(x);
  // CHECK: cast %{{.*}} {rounding = rtz} : tile<32xf8e5m2>
  store(out + i, cast<float8_e5m2>(y, rounding::rz));
  // 0.3 is rounded once, by the pass that folds it; 1e6 saturates.
  // CHECK: cast %{{.*}} : f8e5m2
  // FOLD: constant 0.3125 : f8e5m2
  out[0] = float8_e5m2(0.3f);
  // FOLD: constant 57344.0 : f8e5m2
  out[1] = cast<float8_e5m2>(1000000);
  // CHECK: cast %s : f32
  wide[0] = float(s);
  // CHECK: bitcast %x : tile<32xu8>
  store(wide + i, bitcast<uint8_t>(x));
  // CHECK: dot %{{.*}}, %{{.*}}, %{{.*}} : tile<16x16xf32>
  auto q = load(in + (arange<16>()[all, none] * 16 + arange<16>()[none, all]));
  store(wide + (arange<16>()[all, none] * 16 + arange<16>()[none, all]), dot(q, cast<float8_e5m2>(cast<float>(q))));
}
