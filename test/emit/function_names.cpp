// A variable or parameter with the name of a function of CUDA's library that the text calls gets another one.
// RUN: %tile2cu %s -o - | FileCheck %s
// RUN: %tile2cu %s --emit=emulator -o - | %compile_emulated
#include <tile2cu/tile.h>
using namespace tl;

// CHECK: k_kernel(float* out, const float* in, int n, float roundf_value, double atan2_value)
// CHECK: const float asinh_value =
// CHECK-NEXT: roundf(truncf_value[i][v]) + truncf(truncf_value[i][v]) * roundf_value;
// CHECK: atan2(double(asinh_value), atan2_value)
__tile_global__ void k(float* out, const float* in, int n, float roundf, double atan2) {
  auto i = grid(cdiv(n, 256)) * 256 + arange<256>();
  auto truncf = load(in + i, i < n);
  auto asinh = tl::round(truncf) + tl::trunc(truncf) * roundf;
  auto copysign = tl::atan2(cast<double>(asinh), atan2) + tl::copysign(asinh, truncf) + tl::asinh(asinh);
  store(out + i, cast<float>(copysign), i < n);
}
inline constexpr auto rounded = instantiate(k);
