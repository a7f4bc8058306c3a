// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// Functions of the math library, on tiles and, with the names of <cmath>, on scalars.
#include <cmath>
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: kernel @tiles(
__tile_global__ void tiles(float* out, float16* half_out, double* doubles) {
  grid(1);
  auto i = arange<16>();
  auto x = load(out + i);
  // CHECK: %[[A:.*]] = atan2 %[[X:.*]], %{{.*}} : tile<16xf32>
  // CHECK: rem %[[A]], %{{.*}} : tile<16xf32>
  store(out + i, fmod(atan2(x, 2), 3));
  // 16-bit floats are computed in float.
  // CHECK: %[[H:.*]] = cast %{{.*}} : tile<16xf32>
  // CHECK: %[[R:.*]] = round %[[H]] : tile<16xf32>
  // CHECK: cast %[[R]] : tile<16xf16>
  store(half_out + i, round(load(half_out + i)));
  // CHECK: nextafter %{{.*}}, %{{.*}} : tile<16xf64>
  store(doubles + i, nextafter(load(doubles + i), 0.0));
  // CHECK: %[[P:.*]] = mul_rounded %{{.*}}, %{{.*}} {rounding = ru} : tile<16xf32>
  // CHECK: %[[S:.*]] = add_rounded %[[P]], %{{.*}} {rounding = rtz} : tile<16xf32>
  // CHECK: fma_rounded %[[S]], %{{.*}}, %{{.*}} {rounding = rd} : tile<16xf32>
  store(out + i, fma_rd(add_rz(mul_ru(x, x), 1), 2, 3));
  // CHECK: add_rounded %{{.*}}, %{{.*}} {rounding = rn} : tile<16xf64>
  store(doubles + i, add_rn(load(doubles + i), 1));
  // CHECK: mulhi %{{.*}}, %{{.*}} : tile<16xi32>
  // CHECK: mulhi %{{.*}}, %{{.*}} : tile<16xu64>
  // CHECK: mulhi %{{.*}}, %{{.*}} : tile<16xu32>
  store(out + i, cast<float>(mulhi(i, 3) + mulhi(cast<uint64_t>(i), 3) + umulhi(i, 3)));
}

// CHECK: kernel @scalars(
__tile_global__ void scalars(double* out, float x, double y) {
  grid(1);
  // CHECK: erfc %x : f32
  out[0] = std::erfc(x);
  // CHECK: log1p %x : f32
  out[1] = log1pf(x);
  // CHECK: remainder %y, %{{.*}} : f64
  out[2] = std::remainder(y, 0.75);
  // CHECK: ne %x, %x : bool
  out[3] = std::isnan(x) ? 1 : 2;
  // CHECK: %[[MAGNITUDE:.*]] = abs %y : f64
  // CHECK: eq %[[MAGNITUDE]], %{{.*}} : bool
  out[4] = std::isinf(y) ? 1 : 2;
  // CHECK: lt %{{.*}}, %{{.*}} : bool
  out[5] = std::isfinite(x) ? 1 : 2;
  // 3 is finite, and C++ knows it.
  // CHECK: cbrt %{{.*}} : f32
  out[6] = std::isfinite(3.0f) ? std::cbrt(27.0f) : y;
}

inline constexpr auto tiles_all = instantiate(tiles);
inline constexpr auto scalars_all = instantiate(scalars);
