// Structs as parameters: launchers take them, kernels take the members that they read.
// RUN: tile2cu %s -I%S/Inputs --helpers=include --header=%t.h -o - | FileCheck %s
// RUN: tile2cu %s -I%S/Inputs --helpers=include -o - | FileCheck %s --check-prefix=ALONE
// RUN: FileCheck %s --check-prefix=HEADER < %t.h
// RUN: tile2cu %s -I%S/Inputs --arch=sm_90a --helpers=include -o - | FileCheck %s --check-prefix=HOPPER
#include <tile2cu/tile.h>

#include "params.h"
using namespace tl;

// CHECK: // The structs of the source's headers that launchers take.
// CHECK-NEXT: #include "params.h"
// CHECK-NOT: struct Params
// ALONE: // ---- launchers ----
// ALONE: namespace nn {
// ALONE: struct Size {
// ALONE: }  // namespace nn
// ALONE: // What a call needs.
// ALONE-NEXT: struct Params {
// ALONE-NEXT:   const float* x;
// HEADER: #include <cstdint>
// HEADER: #include "params.h"
// HEADER: namespace nn {
// HEADER: struct Size {
// HEADER-NEXT:   int rows;
// HEADER-NEXT:   int columns = 64;
// HEADER-NEXT:   int64_t strides[2] = {};  // in elements
// HEADER-NEXT: };
// HEADER: }  // namespace nn
// HEADER: struct Params {
// HEADER-NEXT:   const float* x;
// HEADER-NEXT:   const float* bias = nullptr;  // or none
// HEADER-NEXT:   float* y;
// HEADER-NEXT:   nn::Size size;
// HEADER-NEXT: };
// HEADER: cudaError_t rows_f32(Params p, float scale, cudaStream_t stream = nullptr);

namespace nn {
struct Size {
  int rows, columns = 64;
  int64_t strides[2] = {};  // in elements
};
}  // namespace nn
// What a call needs.
struct Params {
  const float* __restrict__ x;
  const float* __restrict__ bias = nullptr;  // or none
  float* __restrict__ y;
  nn::Size size;
};

// CHECK: grid    p.size.rows blocks
// CHECK: null    p.bias may be nullptr
// CHECK: VEC > 1 needs p.x, p.bias, p.y aligned to 16 bytes; p.size.columns % 4 == 0,
// CHECK-NEXT: p.size.strides[0] % 4 == 0
// CHECK: rows_kernel(const float* __restrict__ p_x, const float* __restrict__ p_bias,
// CHECK-NEXT: float* __restrict__ p_y, int p_size_columns, int64_t p_size_strides_0,
// CHECK-SAME: float scale) {

__tile_global__ void rows(Params p, float scale) {
  auto row = grid(p.size.rows);
  auto i = arange<512>();
  auto v = load(p.x + row * p.size.strides[0] + i, i < p.size.columns) * scale;
  if (p.bias) v += load(p.bias + i, i < p.size.columns);
  store(p.y + row * p.size.columns + i, v, i < p.size.columns);
}
inline constexpr auto rows_f32 = instantiate(rows);

// A parameter that is called as a member is in the kernel.
// CHECK: both_kernel(const float* __restrict__ p_data, float* p_data_2) {

__tile_global__ void both(Row p, float* p_data) {
  auto i = grid(p.size);
  p_data[i] = p.data[i];
}
inline constexpr auto both_f32 = instantiate(both);

// Keys, restored memory and tensor maps of members.
// HOPPER: tile2cu::make_tensor_map(&p_a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, p.a,

struct Gemm {
  const float16* __restrict__ a;
  const float16* __restrict__ b;
  float* __restrict__ y;
  int m, n, k;
};
template <int N>
__tile_global__ void gemm(Gemm p) {
  require(p.k % 8 == 0 && p.n % 8 == 0);
  auto [pi, pj] = grid(cdiv(p.m, 64), cdiv(p.n, N));
  auto i = (pi * 64 + arange<64>())[all, none];
  auto j = (pj * N + arange<N>())[none, all];
  auto acc = load(p.y + i * p.n + j, (i < p.m) & (j < p.n));
  for (int s = 0; s < p.k; s += 64) {
    auto c = s + arange<64>();
    auto x = load(p.a + i * p.k + c[none, all], (i < p.m) & (c < p.k)[none, all]);
    auto w = load(p.b + c[all, none] * p.n + j, (c < p.k)[all, none] & (j < p.n));
    acc = dot(x, w, acc);
  }
  store(p.y + i * p.n + j, acc, (i < p.m) & (j < p.n));
}
inline constexpr auto tuned_f32 = tune(key{"p.m", "p.n"}, preserve("p.y", "p.m", "p.n"),
                                       candidate(gemm<64>), candidate(gemm<128>));


// CHECK: static cudaError_t launch_rows(Params p, float scale, cudaStream_t stream) {
// CHECK: const int64_t programs = p.size.rows;
// CHECK: (p.x, p.bias, p.y, p.size.columns,
// CHECK: cudaError_t rows_f32(Params p, float scale, cudaStream_t stream) {
// CHECK: tile2cu::aligned<16>(p.x, p.bias, p.y) && p.size.columns % 4 == 0 &&
// CHECK-NEXT: p.size.strides[0] % 4 == 0;
// CHECK: launch_rows<4, 1>(p, scale, stream)
// CHECK: cudaError_t both_f32(Row p, float* p_data, cudaStream_t stream) {
// CHECK: tuned_f32_tuner.launch(candidates, {p.m, p.n}, stream, run,
// CHECK-NEXT: {tile2cu::preserve(p.y, p.m, p.n)});
