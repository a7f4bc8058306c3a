// RUN: %tile2cu %s -o - --header=%t.h | FileCheck %s
// RUN: FileCheck %s --check-prefix=HEADER < %t.h
// 8-bit floats are CUDA's types; conversions that CUDA does not round correctly are helpers.
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void convert(const float8_e4m3* __restrict__ in, float8_e5m2* __restrict__ out,
                             const double* __restrict__ d, int n) {
  auto i = grid(cdiv(n, 2048)) * 2048 + arange<2048>();
  auto x = load(in + i, i < n, 1);
  store(out + i, cast<float8_e5m2>(cast<float>(x) + 1.0f), i < n);
  store(out + i, load(d + i, i < n), i < n);
  store(out + i, cast<float8_e5m2>(load(d + i, i < n), rounding::rz), i < n);
}
inline constexpr auto convert_8 = instantiate(convert, {.num_warps = 4});

// CHECK: #include <cuda_fp8.h>
// CHECK: T to_float8(double x)
// CHECK: T to_float8_rz(float x)
// CHECK: convert_kernel(const __nv_fp8_e4m3* __restrict__ in, __nv_fp8_e5m2* __restrict__ out,
// CHECK: tile2cu::vec<__nv_fp8_e4m3, VEC> x
// CHECK: tile2cu::load_prefix<VEC{{.*}}, __nv_fp8_e4m3(1.0f));
// CHECK: __nv_fp8_e5m2(float(x[v]) + 1.0f)
// CHECK: tile2cu::to_float8<__nv_fp8_e5m2>(
// CHECK: tile2cu::to_float8_rz<__nv_fp8_e5m2>(tile2cu::to_float_rz(
// CHECK: cudaError_t convert_8(const __nv_fp8_e4m3* in, __nv_fp8_e5m2* out, const double* d, int n,
// HEADER: #include <cuda_fp8.h>
// HEADER: convert_8(const __nv_fp8_e4m3* in,
